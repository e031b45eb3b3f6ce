import { EngineError, eventBounds, isObject } from '../../../engine/index.ts'

/** The error for an event that holds more than one may, or for what is around the events. */
export function eventTooLarge(path: string): EngineError {
  return new EngineError('event_too_large', eventBounds, [{ path, code: 'event_too_large', params: eventBounds }])
}

/** How many values an event holds, with the names of its members. Throws `event_too_large`; `path` is then asked for. */
export function valuesIn(event: unknown, path: () => string): number {
  const size = { values: 0, characters: 0 }
  add(event, size)
  if (isTooLarge(size)) throw eventTooLarge(path())
  return size.values
}

interface Size {
  values: number
  characters: number
}

function isTooLarge({ values, characters }: Size): boolean {
  return values > eventBounds.values || characters > eventBounds.characters
}

/** Adds the size of a value, until it is too large. */
function add(value: unknown, size: Size): void {
  size.values++
  if (typeof value === 'string') size.characters += value.length
  else if (Array.isArray(value)) {
    for (let index = 0; index < value.length && !isTooLarge(size); index++) add(value[index], size)
  } else if (isObject(value)) {
    for (const name in value) {
      size.characters += name.length
      add(value[name], size)
      if (isTooLarge(size)) return
    }
  }
}
