const shared = `Tools read and write delivery orders, routes, drivers, devices and tracking of one business. \
Call get_capabilities first: it lists the tools of this connection with their risk and scopes. \
Public tools (track_package, otep_tracking, get_capabilities) need no token. The others need the header \
"Authorization: Bearer <token>" on the connection; never put a token into arguments or prompts.

Rules:
- High-risk tools are carried out with confirm=true only; else propose them with propose_write, and a person approves.
- The header X-MCP-Dry-Run: 1 previews writes: status is dry_run, "changes" tells what would be recorded, nothing is.
- The header X-MCP-Require-Approval: 1 queues high-risk writes: status is approval_required.
- Repeat a write after a lost answer under the same idempotency_key: it is done once.
- A refusal is a text that begins with its code. It tells what is wrong where; put that right and call again.
- Prices that are missing (price_hidden) are hidden, not zero.
- Days and times without an offset are those of the time zone of the business.`

/** The instructions of each server, most important first. */
export const instructions = {
  operations: `Operations server of an OTEP transport platform, for operations, support and business agents.
${shared}
Unattended agents should connect with the header X-MCP-Profile: ops-readonly or support.`,
  developer: `Developer server of an OTEP transport platform, for integrators and coding agents. search_reference finds \
operations, codes and how-to pages; get_operation describes an operation with examples; project_document validates a \
document and writes it in a format; try_webhook_signature says what is wrong with a signature. None of them stores anything.
A connection has only the tools of this server. Tools that act on a business (orders, routes) come with the header \
X-MCP-Scopes or X-MCP-Profile; try writes with X-MCP-Dry-Run: 1 first.
${shared}
REST: /openapi.json describes the same operations.`,
}
