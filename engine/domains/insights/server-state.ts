import * as v from 'valibot'
import { named } from '../../kernel/named.ts'
import { operation } from '../../kernel/operation.ts'
import { serverScope } from '../../kernel/rights.ts'
import { nodeStates } from '../../kernel/server.ts'

const node = named(
  'ServerNode',
  v.strictObject({
    name: v.string(),
    host: v.string(),
    version: v.string(),
    since: v.pipe(v.string(), v.description('When it started.')),
    last_heard_at: v.string(),
    state: v.pipe(
      v.picklist(nodeStates),
      v.description('lost: it has told nothing for a minute; unknown: its clock is more than a minute ahead.'),
    ),
    leases: v.pipe(v.array(v.string()), v.description('The work that it does in place of all nodes.')),
    models: v.array(v.strictObject({ name: v.string(), caught_up: v.boolean(), lag_seconds: v.number() })),
  }),
)

/** Tells operators of the server of its store and of its nodes. */
export const getServerState = operation({
  name: 'get_server_state',
  summary: 'The store of this server, and its nodes: their leases, and how far their read models are behind.',
  scopes: [serverScope],
  risk: 'low',
  tag: 'Client',
  rest: { method: 'GET', path: '/api/v1/server' },
  input: v.strictObject({}),
  output: v.strictObject({
    result: v.literal(true),
    store: v.pipe(v.string(), v.description('Address of the store, without credentials.')),
    bytes: v.pipe(
      v.nullable(v.number()),
      v.description('Bytes of the files of the node that answers; null if it has none.'),
    ),
    damaged: v.pipe(
      v.nullable(v.number()),
      v.description('Events found damaged since the start; null if the store keeps no checksums.'),
    ),
    nodes: v.array(node),
  }),
  errors: [],
  handle: async ({ server }) => {
    const { store, bytes = null, damaged = null, nodes } = await server.state()
    return {
      ...{ result: true, store, bytes, damaged },
      nodes: nodes.map(({ at, models, ...rest }) => ({
        ...{ ...rest, last_heard_at: at },
        models: models.map(({ name, isCaughtUp, secondsBehind }) => ({
          ...{ name, caught_up: isCaughtUp, lag_seconds: Math.round(secondsBehind) },
        })),
      })),
    }
  },
})
