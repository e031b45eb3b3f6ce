import * as v from 'valibot'
import { type Caller, isWriting, type Operation, operation } from '../../engine/index.ts'

/** The tool that lists the tools of a connection; `open` returns those that a caller may call. */
export function capabilities(open: (caller: Caller) => readonly Operation[]): Operation {
  return operation({
    name: 'get_capabilities',
    summary: 'The tools of this connection, with the risk and the scopes of each and whether it needs confirm=true.',
    scopes: [],
    risk: 'low',
    mcp: {
      title: 'Capabilities of this connection',
      hint: 'Call it first: other tokens and profiles have other tools.',
    },
    input: v.strictObject({}),
    output: v.strictObject({
      result: v.literal(true),
      scopes: v.pipe(v.array(v.string()), v.description('What the token and the headers leave to this connection.')),
      tools: v.array(
        v.strictObject({
          name: v.string(),
          title: v.string(),
          risk: v.picklist(['low', 'medium', 'high']),
          scopes: v.array(v.string()),
          writes: v.boolean(),
          confirm: v.pipe(v.boolean(), v.description('Whether it needs confirm=true, or an approval.')),
        }),
      ),
    }),
    errors: [],
    handle: async ({ caller }) => ({ result: true, scopes: caller.scopes, tools: open(caller).map(described) }),
  })
}

function described(tool: Operation): object {
  const { name, risk, scopes, mcp } = tool
  return { name, title: mcp?.title ?? name, risk, scopes, writes: isWriting(tool), confirm: risk === 'high' }
}
