import { textsOf } from '../../locales/texts.ts'

/** The texts of what a recipient can do on the page of a timeline. */
export const recipientTexts = textsOf('page.recipient', {
  help: {
    title: 'Need help?',
    link: 'Contact {name}',
  },
  share: {
    title: 'Share this page',
    label: 'Address of the page',
    button: 'Share',
    code: 'QR code of this page',
    calendar: 'Add to calendar',
  },
})
