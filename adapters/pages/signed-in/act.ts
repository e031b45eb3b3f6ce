import {
  type Answer,
  authorizeAndValidate,
  type Change,
  changesIn,
  type EngineError,
  isObject,
  perform,
  preview,
} from '../../../engine/index.ts'
import { formTexts } from '../texts/forms.ts'
import { actionPage, type Shown, secretPage, type Task } from './action-page.ts'
import { type SignedSetting, withLanguage } from './area.ts'
import { confirmationQuery } from './confirmation.ts'
import { changesIn as changesOfForm, entriesOf, valuesIn } from './input-values.ts'
import { isGrave } from './kinds.ts'
import type { Result } from './layout.ts'
import { nothingWrong, refusalIn, refusalOf, statusFor, wrongIn } from './refusals.ts'
import type { Visitor } from './session.ts'
import type { Visit } from './visit.ts'

type Visited = Visit<SignedSetting>

/** Shows the form of a task. What the address names of its members is entered already. */
export function showTask(visit: Visited, visitor: Visitor, task: Task): Promise<Response> {
  const linked = Object.entries(visit.request.req.query()).filter(([name]) => Object.hasOwn(task.members, name))
  return show(visit, visitor, task, 200, {
    texts: new Map([...task.begun, ...linked]),
    key: visitor.context.randomId(),
  })
}

/** Previews a task, or carries it out. What is grave is done only by the form that shows what it does. */
export async function takeTask(visit: Visited, visitor: Visitor, task: Task, form: URLSearchParams): Promise<Response> {
  const texts = entriesOf(form)
  const given = form.get('key') ?? ''
  const shown = { texts, key: /^[\w-]{8,64}$/.test(given) ? given : visitor.context.randomId() }
  if (form.get('step') === 'change') return show(visit, visitor, task, 200, shown)
  // It would undo what somebody else has done.
  if (task.correction !== undefined && form.get('seen') !== task.correction.seen)
    return show(visit, visitor, task, 409, {
      ...shown,
      result: { kind: 'bad', text: formTexts(visit.setting.texts.lang).changed },
    })
  try {
    return await carryOut(visit, visitor, task, form, shown)
  } catch (error) {
    return refused(visit, visitor, task, refusalIn(error), shown)
  }
}

async function carryOut(
  visit: Visited,
  visitor: Visitor,
  task: Task,
  form: URLSearchParams,
  shown: Shown,
): Promise<Response> {
  const { operation } = task
  const { context } = visitor
  const values = inputOf(task, shown.texts, visitor)
  const value = authorizeAndValidate(operation, context, values)
  const isConfirmed = !isGrave(operation) || form.get('confirm') === '1'
  if (form.get('step') !== 'do' || !isConfirmed) {
    const { answer, appends } = await preview(operation, context, value)
    const result = refusalOfAnswer(answer)
    if (result !== undefined) return show(visit, visitor, task, 409, { ...shown, result })
    const changes = changesIn(appends, context.caller).map((change) => readable(change, task))
    const previewed = { changes, values }
    return show(visit, visitor, task, 200, { ...shown, previewed })
  }
  const answer = await perform(operation, context, value, shown.key)
  const result = refusalOfAnswer(answer)
  if (result !== undefined) return show(visit, visitor, task, 409, { ...shown, result, key: context.randomId() })
  if (task.reveals.some((member) => answer[member] !== null && answer[member] !== undefined))
    return visit.answering.page(200, secretPage(task, answer, visitor, visit.setting))
  const said = confirmationQuery(visitor, ['done', operation.name])
  return visit.answering.redirect(withLanguage(`${task.done(answer)}?${said}`, visit.setting))
}

/** A change without what nobody reads, such as the hash of a code. */
function readable(change: Change, { table: { fields } }: Task): Change {
  if (!isObject(change.to)) return change
  const shown = Object.entries(change.to).filter(([name]) => fields[name]?.shownTo.length !== 0)
  return { ...change, to: Object.fromEntries(shown) }
}

function inputOf(
  { members, fixed, correction, begun }: Task,
  texts: ReadonlyMap<string, string>,
  { account: { business } }: Visitor,
) {
  const { timeZone } = business
  const given = valuesIn({ texts, timeZone }, members)
  const before = () => valuesIn({ texts: begun, timeZone }, members)
  return { ...(correction ? changesOfForm(given, before(), members) : given), ...fixed }
}

/** Some operations answer that they did nothing, and why: as a whole, or for each thing. */
function refusalOfAnswer({ result, works, message, errors }: Answer): Result | undefined {
  const [first] = Array.isArray(errors) ? errors.filter(isObject) : []
  const words = result === false || works === false ? message : first?.message
  return typeof words === 'string' ? { kind: 'bad', text: words } : undefined
}

function refused(visit: Visited, visitor: Visitor, task: Task, error: EngineError, shown: Shown): Promise<Response> {
  const wrong = wrongIn(error, visitor, ({ path }) => path.replaceAll(/\[(\d+)\]/g, '.$1'))
  const result = refusalOf(error, visitor)
  // The key of a refused call is free, but what is sent next is another call.
  const fresh = { ...shown, key: visitor.context.randomId(), result, wrong }
  const isOfField = [...wrong.keys()].some((path) => !Object.hasOwn(task.fixed, path.split('.')[0] ?? ''))
  return show(visit, visitor, task, isOfField ? 422 : statusFor(error), fresh)
}

async function show(visit: Visited, visitor: Visitor, task: Task, status: number, shown: Shown): Promise<Response> {
  return visit.answering.page(status, actionPage(task, { wrong: nothingWrong, ...shown }, visitor, visit.setting))
}
