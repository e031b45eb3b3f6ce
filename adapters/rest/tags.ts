import type { JsonSchema } from '../http/schema.ts'

/** The operation families in listing order. */
const families: Readonly<Record<string, string>> = {
  'Broker Order Assignments': 'Orders that are given to contractors, and taken back.',
  User: 'Signing in and out, and the account that asks.',
  Driver: 'Orders as their drivers move them, and where drivers are.',
  Client: 'Orders and routes of a business, for its staff.',
  Business: 'A business: its accounts, their staff roles and second factors, its modules and its brand.',
  Money: 'Wallets of customers, what moves in them, and the statements of months.',
  LabelService: 'Accounts at carriers, what shipping costs with them, and labels.',
  Shipping: 'Labels for the parcels of orders that the business delivers itself.',
  Uniorder: 'A shipment that the business delivers itself, or a carrier.',
  AddressBook: 'Addresses of earlier orders.',
  Tracking: 'What anybody may know of a parcel.',
  Customer: 'What a customer sees and pays.',
  OTEP: 'Timelines of the open tracking event protocol: pushed, read and validated.',
  'Platform Apps': 'How an app is set up for a client, and signing in to it.',
  Dispatch: 'Who carries an order: a driver, or a carrier.',
  'Device Orders': 'Orders that go through lockers, kiosks and smart drops.',
  Webhooks: 'Where webhook events are sent, how they are signed, and what has become of each.',
  Sensors: 'What sensors of parcels measure, and the limits for it.',
  'Partner Lockers': 'Deliveries of partner carriers into lockers, and the packages that are carried there.',
  'Third-Party Deliveries': 'Orders that another provider delivers.',
  'Order Handoff': 'Orders that partners hand over by the order handoff protocol.',
  'Route Board': 'Routes that drivers claim, and who drives them.',
  Approvals: 'Writes that are proposed, and approved or rejected by people.',
}

/** The OpenAPI tags of the families; an unknown family gets its name only. */
export function tagsOf(names: Iterable<string>): readonly JsonSchema[] {
  const used = new Set(names)
  const known = Object.entries(families).filter(([name]) => used.has(name))
  const others = [...used].filter((name) => !Object.hasOwn(families, name))
  return [...known.map(([name, description]) => ({ name, description })), ...others.map((name) => ({ name }))]
}
