import { defaultSessionDays, type SessionDays } from '../../engine/index.ts'

/** `OTEP_SESSION_DAYS`: `7`, or `7,30` with another number for apps. */
export function sessionDaysFrom({
  OTEP_SESSION_DAYS: text,
}: Readonly<Record<string, string | undefined>>): SessionDays {
  if (!text) return defaultSessionDays
  const [, plain, app = plain] = /^([1-9]\d{0,2})(?:,([1-9]\d{0,2}))?$/.exec(text) ?? []
  if (plain === undefined)
    throw new Error(`OTEP_SESSION_DAYS must be a number of days from 1 to 999, or two such as 7,30, not ${text}`)
  return { plain: Number(plain), app: Number(app) }
}
