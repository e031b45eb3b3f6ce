const hex = (digits: number) => ({ type: 'string', pattern: `^(?!0+$)[0-9a-fA-F]{${digits}}$` })
const nanos = { type: 'string', pattern: '^(0|[1-9][0-9]{0,19})$' }
const uint32 = { type: 'integer', minimum: 0, maximum: 4_294_967_295 }
const list = (items: object) => ({ type: 'array', items })

/** An object that has these members and, of the first, all: unknown keys are ignored by readers, so they are faults. */
function message(required: Readonly<Record<string, object>>, optional: Readonly<Record<string, object>> = {}): object {
  return {
    type: 'object',
    required: Object.keys(required),
    properties: { ...required, ...optional },
    additionalProperties: false,
  }
}

const one = (kind: string, schema: object) => message({ [kind]: schema })
const anyValue = { $ref: '#/definitions/anyValue' }
const attributes = list(message({ key: { type: 'string', minLength: 1 }, value: anyValue }))
const attributed = { attributes, droppedAttributesCount: uint32 }

const link = message(
  { traceId: hex(32), spanId: hex(16) },
  { ...attributed, traceState: { type: 'string' }, flags: uint32 },
)

const spanEvent = message({ timeUnixNano: nanos, name: { type: 'string', minLength: 1 } }, attributed)

const span = message(
  {
    traceId: hex(32),
    spanId: hex(16),
    name: { type: 'string', minLength: 1 },
    startTimeUnixNano: nanos,
    endTimeUnixNano: nanos,
  },
  {
    ...attributed,
    traceState: { type: 'string' },
    parentSpanId: hex(16),
    // Bits 0 to 7 are those of W3C Trace Context, 8 and 9 say whether the parent is remote, the rest is reserved.
    flags: { type: 'integer', minimum: 0, maximum: 1023 },
    kind: { type: 'integer', minimum: 0, maximum: 5 },
    events: list(spanEvent),
    droppedEventsCount: uint32,
    links: list(link),
    droppedLinksCount: uint32,
    status: message({}, { code: { type: 'integer', minimum: 0, maximum: 2 }, message: { type: 'string' } }),
  },
)

const scope = message({ name: { type: 'string' } }, { version: { type: 'string' }, ...attributed })
const scopeSpans = message({ scope, spans: list(span) }, { schemaUrl: { type: 'string' } })
const resource = message({ attributes }, { droppedAttributesCount: uint32 })
const resourceSpans = message({ resource, scopeSpans: list(scopeSpans) }, { schemaUrl: { type: 'string' } })

/**
 * `ExportTraceServiceRequest` in JSON, of the facts of trace.proto, common.proto and resource.proto (opentelemetry-proto
 * 1.11) and of the JSON encoding of OTLP: lower camel case, ids in hexadecimal, enums as integers, 64 bits as texts.
 */
export const requestSchema: object = {
  ...message({ resourceSpans: list(resourceSpans) }),
  definitions: {
    anyValue: {
      oneOf: [
        one('stringValue', { type: 'string' }),
        one('boolValue', { type: 'boolean' }),
        one('intValue', { type: 'string', pattern: '^-?[0-9]{1,19}$' }),
        one('doubleValue', { type: 'number' }),
        one('arrayValue', message({ values: list(anyValue) })),
        one('kvlistValue', message({ values: attributes })),
        one('bytesValue', { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
      ],
    },
  },
}
