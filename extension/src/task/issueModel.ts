// Which comment threads to take away and which to make, so that one that is
// open and unchanged stays as it is.

import { refKey } from '../refs';
import { type IssueItem } from '../protocol';

/** Equal for the same issue of the same verdict. */
export function issueKey({ ref, index }: IssueItem): string {
  return `${index} ${refKey(ref)}`;
}

/** What is gone or changed, and what is new or changed. */
export function diffIssues(
  shown: readonly IssueItem[],
  wanted: readonly IssueItem[],
): { readonly gone: readonly IssueItem[]; readonly fresh: readonly IssueItem[] } {
  const content = (issue: IssueItem): string => JSON.stringify(issue);
  const have = new Set(shown.map(content));
  const want = new Map(wanted.map((issue) => [issueKey(issue), content(issue)]));
  return {
    gone: shown.filter((issue) => want.get(issueKey(issue)) !== content(issue)),
    fresh: [...new Map(wanted.map((issue) => [issueKey(issue), issue])).values()].filter(
      (issue) => !have.has(content(issue)),
    ),
  };
}
