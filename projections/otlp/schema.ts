import * as v from 'valibot'

const text = v.strictObject({ stringValue: v.string() })

/** A value of an attribute: exactly one of the kinds of `AnyValue` (OTLP, common.proto). */
const anyValueSchema = v.union([
  text,
  v.strictObject({ boolValue: v.boolean() }),
  v.strictObject({ doubleValue: v.number() }),
  v.strictObject({ arrayValue: v.strictObject({ values: v.array(text) }) }),
])

const keyValueSchema = v.strictObject({ key: v.string(), value: anyValueSchema })

/** An attribute. */
export type KeyValue = v.InferOutput<typeof keyValueSchema>

// The type is written out, because deeper declarations overwhelm the compiler of an importer.
const attributes: v.GenericSchema<KeyValue[]> = v.array(keyValueSchema)

/** The count of what was dropped, which is always 0. */
const none = v.literal(0)

/** Nanoseconds since 1970 in decimal digits: 64-bit integers are texts in JSON (ProtoJSON). */
const nanos = v.pipe(v.string(), v.regex(/^\d{1,19}$/))

const traceId = v.pipe(v.string(), v.regex(/^[\da-f]{32}$/))
const spanId = v.pipe(v.string(), v.regex(/^[\da-f]{16}$/))

const spanSchema = v.strictObject({
  traceId,
  spanId,
  parentSpanId: v.exactOptional(spanId),
  name: v.string(),
  kind: v.literal(1),
  startTimeUnixNano: nanos,
  endTimeUnixNano: nanos,
  attributes,
  droppedAttributesCount: none,
  events: v.tuple([]),
  droppedEventsCount: none,
  status: v.strictObject({ code: v.picklist([0, 1, 2]), message: v.exactOptional(v.string()) }),
  links: v.tuple([]),
  droppedLinksCount: none,
  flags: v.literal(257),
})

/** The document: an `ExportTraceServiceRequest` in the JSON form of OTLP (opentelemetry-proto 1.x). */
export const traceSchema = v.strictObject({
  resourceSpans: v.array(
    v.strictObject({
      resource: v.strictObject({ attributes, droppedAttributesCount: none }),
      scopeSpans: v.array(
        v.strictObject({
          scope: v.strictObject({ name: v.string(), version: v.string() }),
          spans: v.array(spanSchema),
        }),
      ),
    }),
  ),
})

/** A journey as a trace. */
export type Trace = v.InferOutput<typeof traceSchema>

/** The time of one stage, of the whole journey, or of a withdrawal. */
export type Span = v.InferOutput<typeof spanSchema>
