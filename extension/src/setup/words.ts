// The words of the doctor's page. {0} is filled in later.

import type { Translate } from '../fill';

/** good and bad are judged; a fact is neither. */
export type Verdict = 'good' | 'bad' | 'fact';

/** Signs with their words: colour alone says nothing. */
export function verdictWords(t: Translate): Readonly<Record<Verdict, string>> {
  return { good: t('✓ OK'), bad: t('✗ Problem'), fact: t('– Note') };
}

/** What the page says besides the rows. */
export function doctorWords(t: Translate) {
  return {
    title: t('Signalbox Doctor'),
    verdicts: verdictWords(t),
    columns: [t('State'), t('What'), t('Found'), t('Why'), t('What to Do')],
    again: t('Check Again'),
    asText: t('Open as Text'),
    looking: t('Looking…'),
    wrong: t('Problems: {0}', '{0}'),
    fine: t('No problems.'),
  };
}

export type DoctorWords = Readonly<ReturnType<typeof doctorWords>>;
