import { count } from '../signed-in/texts.ts'

/** All fixed texts of the pages of one's own account in English; another language is another object of this shape. */
export const en = {
  title: 'Your account',
  signIn: 'To see where you are signed in, and to change how you sign in.',
  back: 'Your account',
  arriving: 'Your account',
  sessions: {
    title: 'Where you are signed in',
    hint: 'If you do not know one of them, end it and set a new password.',
    here: 'This session',
    unknown: 'An unknown program',
    on: (program: string, system: string) => `${program} on ${system}`,
    app: (code: string, platform: string) => `App ${code} on ${platform}`,
    since: 'Signed in',
    until: 'Signed in until',
    source: 'From',
    end: 'End',
    endThis: (program: string) => `End the session of ${program}`,
    endOthers: 'End all others',
    ended: 'The session has ended.',
    othersEnded: (sessions: number) => `${count(sessions, 'other session')} ended.`,
    gone: 'That session had ended already.',
  },
  email: {
    title: 'Email address',
    now: 'Now',
    label: 'New email address',
    password: 'Your password',
    button: 'Change it',
    hint: 'A link is sent to the present address, and once you have confirmed that, one to the new address.',
    sent: 'We have sent a link to your present address. It is valid for an hour.',
    unchanged: 'That is your email address already.',
    malformed: 'That is not an email address.',
    wrong: 'The password is wrong.',
    unavailable: 'This server sends no e-mails. Ask your administrator for another address.',
  },
  forgotten: {
    title: 'Forgot your password?',
    lead: 'Enter the email address of your account. We send a link with which you set a new password.',
    button: 'Send the link',
    sent: {
      title: 'Look into your mailbox',
      lead: 'If the address has an account, a link is on its way. It is valid for 30 minutes.',
    },
    unavailable: {
      title: 'This server sends no e-mails',
      lead: 'Ask your administrator for a new password.',
    },
  },
  password: {
    title: 'Set your password',
    lead: 'You are then signed out everywhere, and sign in with it.',
    label: 'New password',
    hint: 'At least 10 characters; several words that do not belong together are good.',
    button: 'Set the password',
    done: { title: 'Your password is set', lead: 'Sign in with it.' },
  },
  confirm: {
    title: 'Confirm the change of an email address',
    lead: 'Only if you want this address to sign in to the account.',
    button: 'Confirm',
    asked: { title: 'One step is left', lead: 'We have sent a link to the new address. Open it there within an hour.' },
    changed: { title: 'The email address is changed', lead: 'Sign in with the new address.' },
    taken: { title: 'Nothing was changed', lead: 'The new address has an account already.' },
  },
  over: {
    title: 'This link is not valid any more',
    lead: 'It has been used, or its time is over. Ask for a new one.',
  },
}

/** The fixed texts of these pages, in one language. */
export type AccountTexts = typeof en
