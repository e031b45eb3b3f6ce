/** The texts of the page of the second factors of a business. */
export const people = {
  title: 'Second factors of the business',
  mayNot: {
    title: 'This page is not for your account',
    lead: 'An administrator of the business can open it.',
  },
  rule: 'Who needs one',
  nobody: 'Nobody has to have a second factor.',
  staff: 'Administrators and employees need a second factor to sign in.',
  staffFrom: 'Administrators and employees need a second factor to sign in from',
  begins: 'It begins',
  atOnce: 'at once',
  inDays: 'in {count} days',
  demand: 'Ask administrators and employees for one',
  end: 'Ask nobody for one',
  ruleSaved: 'The rule is saved.',
  askStaff: {
    title: 'Ask administrators and employees for a second factor',
    lead: 'Those who have none set it up at their next sign-in. Sessions that are open go on, and API keys stay valid.',
    leadFrom:
      'It begins on {from}. Those who have none by then set it up at their next sign-in. Sessions that are open go on, and API keys stay valid.',
    button: 'Ask for it',
  },
  askNobody: {
    title: 'Ask nobody for a second factor',
    lead: 'A password is then enough for those who have none. Second factors that were set up stay.',
    button: 'Ask nobody for it',
  },
  people: 'People',
  kinds: {
    client_admin: 'Administrator',
    client_employee: 'Employee',
    contractor: 'Contractor',
    customer: 'Customer',
    driver: 'Driver',
  },
} as const
