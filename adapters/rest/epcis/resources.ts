import type { Answer } from './call.ts'
import { getCapture, getCaptures, postCapture, postEvent } from './capture.ts'
import { eventsOfEpc, eventWithId, queried } from './events.ts'
import { fixed, listBizSteps, listDispositions, listEventTypes, notOffered, subResources, valuesOf } from './lists.ts'
import { deleteQuery, eventsOfQuery, getQueries, getQuery, postQuery } from './queries.ts'
import { deleteSubscription, getSubscription, getSubscriptions, postSubscription } from './subscriptions.ts'

/**
 * Who may call a method: providers; also accounts, which see what they may see of their orders; or everybody, also without
 * credentials.
 */
export type Audience = 'providers' | 'accounts' | 'everybody'

/** A method of a resource. */
interface Method {
  readonly answer: Answer
  readonly audience: Audience
  /** Why it is not offered. */
  readonly reason?: string
}

/** A resource of the interface, with the methods of the standard. */
export interface Resource {
  /** As in the standard, below `/epcis`. */
  readonly path: string
  readonly methods: Readonly<Record<string, Method>>
  /** Whether documents or events can be sent to it. */
  readonly captures?: true
  /** Whether it has live responses. */
  readonly streams?: true
}

const works = (answer: Answer, audience: Audience = 'providers'): Method => ({ answer, audience })

const forAccounts = (answer: Answer) => works(answer, 'accounts')

function missing(reason: string): Method {
  return { ...works(notOffered(reason)), reason }
}

const noTokens = missing('a token of a page holds nothing on the server that could be invalidated')

/** A kind of thing, its list, and the parameter of a query for one of them. */
function listed(path: string, member: string, list: Answer, parameter: string): readonly Resource[] {
  return [
    { path, methods: { GET: forAccounts(list) } },
    { path: `${path}/{${member}}`, methods: { GET: forAccounts(subResources) } },
    { path: `${path}/{${member}}/events`, methods: { GET: forAccounts(queried(parameter, member)) } },
  ]
}

const topLevel = [
  ...['events', 'eventTypes', 'epcs', 'bizSteps', 'bizLocations', 'readPoints', 'dispositions', 'capture', 'queries'],
]

/** THE LIST of resources (EPCIS 2.0, REST bindings). */
export const resources: readonly Resource[] = [
  { path: '/', methods: { GET: forAccounts(fixed(topLevel)) } },
  { path: '/capture', methods: { POST: works(postCapture), GET: works(getCaptures) }, captures: true },
  { path: '/capture/{captureID}', methods: { GET: works(getCapture) } },
  { path: '/events', methods: { GET: forAccounts(queried()), POST: works(postEvent) }, captures: true },
  { path: '/events/{eventID}', methods: { GET: forAccounts(eventWithId) } },
  ...listed('/eventTypes', 'eventType', listEventTypes, 'eventType'),
  { path: '/epcs', methods: { GET: forAccounts(valuesOf('MATCH_anyEPC')) } },
  { path: '/epcs/{epc}', methods: { GET: forAccounts(subResources) } },
  { path: '/epcs/{epc}/events', methods: { GET: works(eventsOfEpc, 'everybody') } },
  ...listed('/bizSteps', 'bizStep', listBizSteps, 'EQ_bizStep'),
  ...listed('/bizLocations', 'bizLocation', valuesOf('EQ_bizLocation'), 'EQ_bizLocation'),
  ...listed('/readPoints', 'readPoint', valuesOf('EQ_readPoint'), 'EQ_readPoint'),
  ...listed('/dispositions', 'disposition', listDispositions, 'EQ_disposition'),
  { path: '/queries', methods: { GET: forAccounts(getQueries), POST: forAccounts(postQuery) } },
  { path: '/queries/{queryName}', methods: { GET: forAccounts(getQuery), DELETE: forAccounts(deleteQuery) } },
  { path: '/queries/{queryName}/events', methods: { GET: forAccounts(eventsOfQuery) }, streams: true },
  {
    path: '/queries/{queryName}/subscriptions',
    methods: { GET: forAccounts(getSubscriptions), POST: forAccounts(postSubscription) },
  },
  {
    path: '/queries/{queryName}/subscriptions/{subscriptionID}',
    methods: { GET: forAccounts(getSubscription), DELETE: forAccounts(deleteSubscription) },
  },
  { path: '/nextPageToken/{token}', methods: { DELETE: noTokens } },
]
