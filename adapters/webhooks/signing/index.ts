export { contentTypeOf, structuredBody } from './cloud-event.ts'
export { redactedHeaders } from './redact.ts'
export { type AttemptInput as Attempting, requestOf } from './request.ts'
export { type Check, checksOf, type Flaw, type Received } from './verify.ts'
