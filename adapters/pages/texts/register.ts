import { textsOf } from '../../locales/texts.ts'

/** The texts of the page on which customers register. */
export const registerTexts = textsOf('page.register', {
  title: 'Register with {client}',
  lead: 'You get an account for {app}. A code is sent to you first.',
  approval: '{client} approves each account before it can be used.',
  email: 'Email address',
  phone: 'Mobile number',
  phoneHint: 'With the country code, without the 0 that some countries write before a number.',
  send: 'Send the code',
  sent: {
    title: 'Enter the code',
    mail: 'A code was sent to {email}. It is valid for 10 minutes.',
    both: 'One code was sent to {email}, and another one to {phone}. They are valid for 10 minutes.',
    code: 'Code from the email',
    phoneCode: 'Code from the text message',
    name: 'Your name',
    password: 'Password',
    passwordHint: 'At least 10 characters. Several words that do not belong together are good.',
    button: 'Register',
    again: 'Nothing came? Another code can be sent after {seconds} seconds.',
  },
  open: {
    title: 'Your account is open',
    lead: 'Sign in to {app} with your email address and your password.',
  },
  pending: {
    title: 'Your account waits for approval',
    lead: 'You get an email when {client} has approved it.',
  },
  account: 'Your account on this server',
  start: 'Begin again',
  wrong: {
    email: 'This is not an email address.',
    phone: 'This is not a phone number with a country code.',
    code: 'A code is wrong, or no longer valid.',
    name: 'Please enter your name, with at most 120 characters.',
    password: 'This password would soon be guessed: it is short or common, or made of your name or address.',
    taken: 'There is an account with this email address by now.',
  },
  closed: {
    title: 'Nobody can register here',
    lead: 'The address is wrong, or the business does not allow it at the moment.',
  },
})

/** The texts of the page on which customers register. */
export type RegisterTexts = ReturnType<typeof registerTexts>
