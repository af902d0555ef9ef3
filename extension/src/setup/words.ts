// The words of the doctor's page. {0} is filled in later.

import type { Translate } from '../fill';

/** A fact is neither good nor bad. */
export type Verdict = 'good' | 'bad' | 'fact';

/** Returns a sign and a word for each verdict, since not everybody sees colours. */
export function verdictWords(t: Translate): Readonly<Record<Verdict, string>> {
  return { good: t('✓ OK'), bad: t('✗ Problem'), fact: t('– Note') };
}

/** Returns the words of the page besides the rows. */
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
