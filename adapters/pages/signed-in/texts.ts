/** Every fixed text that is common to the pages of whoever is signed in, in English; another language is another object of this shape. */
export const en = {
  signIn: {
    title: 'Sign in',
    email: 'Email address',
    password: 'Password',
    button: 'Sign in',
    wrong: 'The email address or the password is wrong.',
    locked: (seconds: number) => `Too many failed attempts. Try again in ${count(seconds, 'second')}.`,
    busy: 'Too many people are signing in at this moment. Try again shortly.',
    out: 'You have signed out.',
    over: 'Your session is over. Sign in again; nothing was done.',
  },
  signOut: 'Sign out',
  account: 'Signed in as',
  number: (id: number) => `Account ${id}`,
  navigation: { label: 'Pages for accounts', approvals: 'Approvals', webhooks: 'Webhooks', deliveries: 'Deliveries' },
  pages: {
    label: 'Pages',
    newer: 'Newer',
    older: 'Older',
    here: (page: number, of: number) => `Page ${page} of ${of}`,
  },
  refused: 'Nothing was done.',
  foreign: {
    title: 'This form did not come from here',
    lead: 'Nothing was done. Open the page again and do it there.',
  },
  unreadable: { title: 'The form could not be read', lead: 'Nothing was done. Open the page again and do it there.' },
  failed: {
    title: 'This page is not available at the moment',
    lead: 'Try again in a moment.',
    request: 'Id of the request',
  },
  arriving: 'Go on',
}

/** A number of things: `1 day`, `2 days`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

/** The fixed texts that are common to the pages of whoever is signed in, in one language. */
export type SignedTexts = typeof en
