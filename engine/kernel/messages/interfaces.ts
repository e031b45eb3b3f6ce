import type { Catalogue, CodeOf } from '../catalogue.ts'

/** Refusals by the MCP and GraphQL interfaces. */
export const interfaceMessages = {
  bad_request: {
    unknown_connection_profile: 'There is no profile {received}. Profiles: {expected}.',
    unknown_scope: 'There is no scope {received}. Scopes: {expected}.',
    bad_switch: 'The header {header} must be 1 or 0, not {received}.',
    invalid_batch: 'A batch has 1 to {limit} messages, and is only accepted up to protocol version 2025-03-26.',
    graphql_invalid: 'This GraphQL document is not valid: {reason}',
    graphql_one_operation: 'A request must have exactly one operation.',
    graphql_too_deep: 'The fields are nested more than {limit} levels deep.',
    graphql_too_many_fields: 'The request has more than {limit} fields, including aliases.',
    graphql_too_costly: 'The answer could have more than {limit} fields. Request fewer fields, or smaller pages.',
  },
  forbidden: {
    outside_connection:
      '{tool} needs {scopes}, which this connection does not have: X-MCP-Profile or X-MCP-Scopes must include them.',
    origin_forbidden: 'Web pages of {received} may not call this server.',
  },
  not_found: {
    tool_elsewhere: '{received} is not a tool of this server. It is available at {place}.',
    unknown_resource:
      'There is no resource {received}. resources/list and resources/templates/list have those of this server.',
    unknown_prompt: 'This connection has no prompt {received}. prompts/list has those that it has.',
    unknown_operation: 'There is no operation {received} in the REST interface. search_reference finds them.',
  },
  invalid: {
    confirm_required:
      '{tool} is high risk and was not executed. Call it again with confirm=true, or propose it with propose_write.',
    approvals_unavailable:
      '{tool} was not executed: this connection requires an approval, and this server does not accept proposals.',
  },
  value: {
    unknown_cursor: 'There is no page {received}: the list has one page.',
    unknown_argument: 'There is no variable or argument {received} here.',
    api_token_deprecated:
      'The argument api_token is accepted until 2026-12-31. Send the token in the Authorization header of the connection.',
    api_token_ended:
      'The argument api_token is no longer accepted. Send the token in the Authorization header of the connection.',
  },
} as const satisfies Catalogue

/** A code of refusals by the MCP and GraphQL interfaces. */
export type InterfaceCode = CodeOf<typeof interfaceMessages>
