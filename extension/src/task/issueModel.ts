// Which comment threads to remove and which to add. An unchanged one stays open.

import { refKey } from '../refs';
import { type IssueItem } from '../protocol';

/** Returns a key that is the same for the same issue of the same verdict. */
export function issueKey({ ref, index }: IssueItem): string {
  return `${index} ${refKey(ref)}`;
}

/** Returns the issues to remove and the issues to add. A changed one is in both. */
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
