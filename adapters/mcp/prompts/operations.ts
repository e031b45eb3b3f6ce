import { isOpenTo, isWriting, type Operation } from '../../../engine/index.ts'
import { enclosed, type Prompt, said } from '../prompt.ts'
import { boundedText, operationNamed, readBy } from '../read.ts'
import type { Complete } from '../resource.ts'
import type { ToolRequest } from '../tool-request.ts'

/** The prompts for operations staff and the agents that help them. */
export function operationsPrompts(operations: readonly Operation[]): readonly Prompt[] {
  const [tracking, history, orders] = ['otep_tracking', 'get_operation_events', 'get_orders'].map((name) =>
    operationNamed(operations, name),
  )
  return [
    ...(tracking === undefined ? [] : [explainParcel(tracking)]),
    ...(history === undefined || orders === undefined ? [] : [explainOrder(history, orders)]),
    planExceptions,
    prepareProposal(operations),
  ]
}

function explainParcel(tracking: Operation): Prompt {
  return {
    name: 'explain_parcel',
    title: 'What happened to this parcel?',
    description: 'Explains the timeline of a tracking number, and what can be expected next.',
    tools: ['otep_tracking'],
    // Tracking numbers are not completed: somebody who does not know one must not learn it.
    arguments: [{ name: 'tracking_number', description: 'The tracking number.', required: true }],
    messages: async ({ tracking_number = '' }, asking) => [
      said(
        `What happened to the parcel ${tracking_number}? Its timeline is enclosed.`,
        'Say in a few sentences where it is, what happened last and when (local time of the place), and what comes next.',
        'Events are in order of occurrence. Tell only what they say: where a scan is missing, say that it is missing.',
        'If it is late, held or returning, say what the recipient or the sender can do now.',
      ),
      enclosed(
        `otep://tracking/${encodeURIComponent(tracking_number)}`,
        await boundedText(await readBy(tracking, { tracking_number }, asking), asking.context),
      ),
    ],
  }
}

function explainOrder(history: Operation, orders: Operation): Prompt {
  return {
    name: 'explain_order',
    title: 'What happened to this order?',
    description: 'Explains the history of an order: each change, who made it, and what is open.',
    tools: ['get_operation_events', 'get_order_detail', 'get_orders'],
    arguments: [{ name: 'order_id', description: 'The id of the order.', required: true, complete: orderIds(orders) }],
    messages: async ({ order_id = '' }, asking) => {
      const answer = await readBy(history, { order_id: Number(order_id), per_page: 200 }, asking)
      return [
        said(
          `What happened to order ${order_id}? Its history is enclosed; get_order_detail has the order as it is now.`,
          'Say who changed what and when, name keys, grants and approvals where the history does, and say what is open.',
          'Do not change anything.',
        ),
        enclosed(`otep://orders/${order_id}/operation-events`, await boundedText(answer, asking.context)),
      ]
    },
  }
}

/** The newest orders that the caller may see. */
function orderIds(orders: Operation): Complete {
  return async (asking) => {
    if (!isOpenTo(orders, asking.context.caller)) return []
    const { orders: found } = (await readBy(orders, { per_page: 200 }, asking)) as {
      readonly orders: readonly { readonly order_id: number }[]
    }
    return found.map(({ order_id }) => String(order_id))
  }
}

const planExceptions: Prompt = {
  name: 'plan_exceptions',
  title: 'Plan the day’s exceptions',
  description: 'Lists the failed and returned orders of a day, and proposes what to do about each.',
  tools: ['list_exceptions', 'daily_digest', 'get_order_detail', 'get_operation_events'],
  arguments: [{ name: 'date', description: 'The day, YYYY-MM-DD. Default: today.' }],
  messages: async ({ date }) => [
    said(
      `Plan the exceptions of ${date === undefined ? 'today' : `the day ${date}`}.`,
      `1. Call daily_digest and list_exceptions${date === undefined ? '' : ` with date=${date}`}, all pages of it.`,
      '2. For each order read get_order_detail and get_operation_events, and find out why it failed.',
      '3. Group the orders by what should happen next: try again, ask the customer, correct the address, send back.',
      '4. Answer with a table: order, reason, proposal, and who has to act. Put the most urgent first.',
      'Do not change any order: a person decides. What is to be changed is proposed with propose_write, one call each.',
    ),
  ],
}

function prepareProposal(operations: readonly Operation[]): Prompt {
  return {
    name: 'prepare_proposal',
    title: 'Prepare a proposal for a risky write',
    description: 'Collects what a reviewer needs, previews the write, and queues it for approval.',
    tools: ['propose_write', 'list_pending_approvals'],
    arguments: [
      {
        name: 'tool',
        description: 'The tool that is to be proposed.',
        required: true,
        complete: ({ context }: ToolRequest) =>
          operations
            .filter((one) => one.mcp !== undefined && one.mcp.server === undefined && isWriting(one))
            .filter((one) => one.risk === 'high' && isOpenTo(one, context.caller))
            .map(({ name }) => name),
      },
      { name: 'goal', description: 'What is to be reached, and for which orders.', required: true },
    ],
    messages: async ({ tool, goal }) => [
      said(
        `Prepare a proposal of ${tool}. The goal: ${goal}`,
        '1. Read everything that the call would change, and check that the goal is not reached already.',
        '2. Call list_pending_approvals: if the same is proposed already, stop and say so.',
        `3. Call propose_write with tool=${tool}, the complete arguments, and a reason that a reviewer understands alone:`,
        '   what is wrong now, what the call changes, and what happens if nobody approves it.',
        'Answer with the proposal_id, the review_url and the reason. Do not carry out the write yourself.',
      ),
    ],
  }
}
