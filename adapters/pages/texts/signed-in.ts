import { textsOf } from '../../locales/texts.ts'
import { secondStep } from './second-step.ts'
import { signOn } from './sign-on.ts'

/** The fixed texts that the signed-in pages share, in a language. */
export const signedTexts = textsOf('page.signedIn', {
  signIn: {
    title: 'Sign in',
    email: 'Email address',
    password: 'Password',
    button: 'Sign in',
    forgotten: 'Forgot your password?',
    wrong: 'The email address or the password is wrong.',
    locked: 'Too many failed attempts. Try again in {seconds, plural, one {# second} other {# seconds}}.',
    busy: 'Too many people are signing in right now. Try again shortly.',
    out: 'You have signed out.',
    over: 'Your session has ended, so nothing was done. Sign in again.',
  },
  secondStep,
  signOn,
  signOut: 'Sign out',
  account: 'Signed in as',
  number: 'Account {id}',
  navigation: {
    label: 'Pages for accounts',
    today: 'Today',
    orders: 'Orders',
    records: 'Records',
    money: 'Money',
    markUps: 'Mark-ups',
    approvals: 'Approvals',
    connections: 'Programs',
    keys: 'Keys and roles',
    webhooks: 'Webhooks',
    deliveries: 'Deliveries',
    own: 'Your account',
  },
  pages: {
    label: 'Pages',
    newer: 'Newer',
    older: 'Older',
    here: 'Page {page} of {of}',
  },
  refused: 'Nothing was done.',
  foreign: {
    title: 'This form did not come from here',
    lead: 'Nothing was done. Open the page again and repeat the action there.',
  },
  unreadable: {
    title: 'The form could not be read',
    lead: 'Nothing was done. Open the page again and repeat the action there.',
  },
  failed: {
    title: 'This page is currently unavailable',
    lead: 'Try again in a moment.',
    request: 'Request id',
  },
  arriving: 'Continue',
})

/** The fixed texts that the signed-in pages share, in one language. */
export type SignedTexts = ReturnType<typeof signedTexts>
