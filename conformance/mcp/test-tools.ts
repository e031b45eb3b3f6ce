import * as v from 'valibot'
import { EngineError, type Operation, operation } from '../../engine/index.ts'

/**
 * Tools that the official suite calls by their names, as far as operations can be them: the others answer images or ask
 * the client something, which no tool here does.
 */
export const testTools: readonly Operation[] = [
  testTool('test_simple_text', 'Answers a text.'),
  testTool('test_logging_tool', 'Answers, and logs nothing to the client.'),
  testTool('test_streaming_elicitation', 'Answers without asking the client anything.'),
  testTool('test_error_handling', 'Refuses every call.', () => {
    throw new EngineError('route_not_found')
  }),
]

function testTool(name: string, summary: string, refuse: () => void = () => {}): Operation {
  return operation({
    name,
    summary,
    scopes: [],
    risk: 'low',
    mcp: { title: name },
    input: v.strictObject({}),
    output: v.strictObject({ result: v.literal(true), text: v.string() }),
    errors: [],
    handle: async () => {
      refuse()
      return { result: true, text: 'This is a simple text response for testing.' }
    },
  })
}
