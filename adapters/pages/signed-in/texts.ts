import { inLanguage } from '../texts/language.ts'
import { secondStep } from '../texts/second-step.ts'
import { signOn } from '../texts/sign-on.ts'

/** All fixed texts that the signed-in pages share, in English; another language is another object of this shape. */
export const en = {
  signIn: {
    title: 'Sign in',
    email: 'Email address',
    password: 'Password',
    button: 'Sign in',
    forgotten: 'Forgot your password?',
    wrong: 'The email address or the password is wrong.',
    locked: (seconds: number) => `Too many failed attempts. Try again in ${count(seconds, 'second')}.`,
    busy: 'Too many people are signing in right now. Try again shortly.',
    out: 'You have signed out.',
    over: 'Your session has ended, so nothing was done. Sign in again.',
  },
  secondStep: inLanguage(secondStep, 'en'),
  signOn: inLanguage(signOn, 'en'),
  signOut: 'Sign out',
  account: 'Signed in as',
  number: (id: number) => `Account ${id}`,
  navigation: {
    label: 'Pages for accounts',
    today: 'Today',
    orders: 'Orders',
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
    here: (page: number, of: number) => `Page ${page} of ${of}`,
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
}

/** A number of things: `1 day`, `2 days`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`
}

/** The fixed texts that the signed-in pages share, in one language. */
export type SignedTexts = typeof en
