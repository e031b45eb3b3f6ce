import { textsOf } from '../../locales/texts.ts'

/** The texts of news by e-mail: the form, its pages, and the e-mails. */
export const newsTexts = textsOf('page.news', {
  news: {
    form: {
      title: 'Get news by e-mail',
      lead: 'One e-mail when it is out for delivery, delivered, held up, or expected at another time.',
      label: 'E-mail address',
      button: 'Notify me',
    },
    sent: {
      title: 'Check your e-mail',
      lead: 'We have sent a link to your address. Open it within 24 hours and confirm. Until then you get no other e-mail.',
    },
    wrong: {
      title: 'This is not an e-mail address',
      lead: 'Go back and fill in an address such as name@example.com.',
    },
    confirm: {
      title: 'Get news of {number}?',
      lead: 'Confirm that the news may be sent to your address.',
      button: 'Confirm',
    },
    confirmed: {
      title: 'You will get the news',
      lead: 'You get an e-mail as soon as there is something new. Each has a link that stops them.',
    },
    over: {
      title: 'There will be no more news',
      lead: 'The journey has ended, or its data was erased.',
    },
    full: {
      title: 'No more addresses can be added',
      lead: 'As many addresses as possible get news of this number, or your address gets news of too many numbers.',
    },
    invalid: {
      title: 'This link is not valid',
      lead: 'It is incomplete, or older than 24 hours. Ask for news again on the page of your number.',
    },
    stop: {
      title: 'Stop these e-mails?',
      lead: 'You then get no more news of this number, and your address is erased.',
      button: 'Stop them',
    },
    stopped: {
      title: 'You get no more e-mails',
      lead: 'Your address was erased.',
    },
    back: 'To the page of {number}',
    mail: {
      subject: 'Confirm: news of {number}',
      asked: 'Somebody, probably you, wants news of {number} to be sent to this address. Confirm it within 24 hours:',
      ignore: 'If it was not you, there is nothing to do: you get no further e-mail.',
      open: 'All details',
      why: 'You get this e-mail because you asked for news of this number. Stop them here:',
    },
  },
})
