import type { Letters } from '../../kernel/messenger.ts'

/** What e-mails to people say in English, by their names. `{name}` is a placeholder. */
export const letters = {
  password: {
    subject: 'Set a new password',
    text: 'Somebody, probably you, has asked for a new password for this address.\n\nSet it here within 30 minutes:\n{link}\n\nIf it was not you, there is nothing to do: your password stays as it is.',
  },
  password_changed: {
    subject: 'Your password was changed',
    text: 'The password of your account was changed at {time}, from {source}. All sessions have ended.\n\nIf it was not you, set another one at once and tell your administrator:\n{link}',
  },
  email_from: {
    subject: 'Change your email address?',
    text: 'Somebody who is signed in to your account wants its email address to be {email}.\n\nIf that is right, confirm it here within an hour; the new address is then asked, too:\n{link}\n\nIf it was not you, change your password.',
  },
  email_to: {
    subject: 'Confirm your email address',
    text: 'This is to be the email address of an account.\n\nConfirm it here within an hour; you then sign in with it:\n{link}\n\nIf you know nothing of this, there is nothing to do.',
  },
  email_changed: {
    subject: 'Your email address was changed',
    text: 'The email address of your account was changed to {email} at {time}. This address no longer signs in. If it was not you, tell your administrator.',
  },
  invitation: {
    subject: 'You are invited: {business}',
    text: '{business} has opened an account for you, {name}.\n\nSet your password here within 7 days:\n{link}\n\nIf you know nothing of this, there is nothing to do.',
  },
  invitation_elsewhere: {
    subject: 'You are invited: {business}',
    text: '{business} has opened an account for you, {name}. But this address already has an account elsewhere on this server, and an address has only one. {business} is not told.\n\nTo accept, give {business} another address of yours. Or change the address of your present account, and ask to be invited again:\n{link}\n\nIf you know nothing of this, there is nothing to do.',
  },
  code: {
    subject: '{code} is your code for {app}',
    text: 'Your code for {app} is {code}. It is valid for 10 minutes. Tell it to nobody.\n\nIf you know nothing of this, there is nothing to do.',
  },
  taken: {
    subject: 'You already have an account',
    text: 'Somebody, probably you, wanted an account with this address. There is one already: sign in with it, or set a new password here:\n{link}\n\nIf it was not you, there is nothing to do.',
  },
  approved: { subject: 'Your account is open', text: '{business} has approved your account. You can sign in now.' },
  factor_added: {
    subject: 'Your account has another second factor',
    text: '“{name}” was added to your account as a second factor at {time}, from {source}.\n\nIf it was not you, set a new password at once, tell your administrator, and look here:\n{link}',
  },
  factor_removed: {
    subject: 'A second factor of your account was removed',
    text: 'A second factor of your account, or all of them, was removed at {time}.\n\nIf you know nothing of this, set a new password at once, tell your administrator, and look here:\n{link}',
  },
  wrong_codes: {
    subject: 'Somebody may know your password',
    text: 'Somebody has entered the password of your account, and then several wrong codes, the last one at {time} from {source}. Nobody was let in.\n\nIf it was not you, set a new password here:\n{link}',
  },
} as const satisfies Letters
