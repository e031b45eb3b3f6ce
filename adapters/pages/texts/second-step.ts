/** The texts of the second step of a sign-in. */
export const secondStep = {
  title: 'One more step',
  lead: 'Enter the code that your authenticator app shows, or one of your recovery codes.',
  code: 'Code',
  withPasskey: 'Sign in with a passkey',
  passkeyLead: 'Your device checks that it is you.',
  usePasskey: 'Use a passkey',
  needsScript: 'Passkeys need JavaScript, and a browser that knows them.',
  notUsed: 'No passkey was used. You can try again.',
  wrong: 'This is wrong, or was used before. Try again.',
  over: 'The step before has run out. Sign in again.',
  setUp: {
    title: 'Set up a second factor',
    lead: 'Your business asks for one. Scan this with an authenticator app, or type the secret into it, and enter the code that it shows.',
    picture: 'QR code for the authenticator app',
    secret: 'Secret',
    address: 'Address',
    button: 'Confirm',
    name: 'Authenticator app',
  },
  codes: {
    title: 'Your recovery codes',
    lead: 'Each signs in once when your device is not at hand. Keep them in a safe place: they are not shown again.',
    goOn: 'I have kept them',
  },
} as const
