export * from './domains/index.ts'
export { catalogues, domains, en, entities, kinds } from './domains/of-all.ts'
export * from './domains/ports.ts'
export { lookUpsIn, readModels } from './domains/read-models.ts'
export type { Deadline, Domain } from './entity/domain.ts'
export { type Entity, everybody, type Field, type Part, type Party, type Setting, type Table } from './entity/field.ts'
export { allowsMove, type EntityEvent } from './entity/machine.ts'
export {
  type Account,
  type Business,
  type Family,
  families,
  hasModule,
  type KeyScope,
  keyScopes,
  type Module,
  type ModuleState,
  type Modules,
  moduleRow,
  moduleStates,
  modules,
  type Person,
  partnerScopes,
  type Role,
  roles,
  type Scope,
  type StaffRole,
  scopes,
  scopesOf,
  staff,
} from './kernel/account.ts'
export { type Actor, type Audit, actorOf, type Cause, type SecurityEntry } from './kernel/audit.ts'
export type { Brand } from './kernel/brand.ts'
export {
  accountOf,
  authorize,
  authorizeAndValidate,
  call,
  executeOperation,
  moduleRefusals,
  requireModule,
  requireScopes,
} from './kernel/call.ts'
export {
  type Carrier,
  type CarrierAnswer,
  type CarrierAsking,
  type CarrierCall,
  type CarrierFailure,
  type CarrierInputs,
  type CarrierLabel,
  type CarrierMethod,
  type CarrierOffer,
  type CarrierOutcome,
  type CarrierPickup,
  type CarrierRefusal,
  type Carriers,
  carrierAnswers,
  ownFleetName,
  type PickupRequest,
  type Purchase,
  type Shipment,
  type ShipmentParty,
} from './kernel/carrier.ts'
export { carrierFindings } from './kernel/carrier-findings.ts'
export { reportedSteps } from './kernel/carrier-report.ts'
export type { CarrierScan, CarrierWarnings } from './kernel/carrier-scan.ts'
export type { Catalogue, Kind, Language } from './kernel/catalogue.ts'
export {
  type Channel,
  channels,
  type DeliveryChannel,
  listedChannels,
  type UrlField,
  urlFields,
} from './kernel/channel.ts'
export {
  anonymous,
  type Caller,
  type CallingKey,
  type Context,
  type Directory,
  type Facts,
  factsForRequest,
  type Pass,
  type Ports,
  type PublicView,
  publicViews,
  type SessionDays,
} from './kernel/context.ts'
export type {
  Attempts,
  Credentials,
  ExpectedNonce,
  Identity,
  IdentityProvider,
  Weakness,
} from './kernel/credentials.ts'
export { type CsvCell, csvLine, csvNamed, csvNamesIn, csvTableIn, headKey, passedOver } from './kernel/csv.ts'
export { type CustomHeader, isReservedHeader, maxCustomHeaders } from './kernel/custom-headers.ts'
export {
  type Customs,
  type CustomsItem,
  itemsOf,
  lineValueOf,
  totalValueOf,
} from './kernel/customs.ts'
export { type Decider, fold, type Reducer } from './kernel/decider.ts'
export type { FindDue } from './kernel/due.ts'
export {
  type BodyFormat,
  bodyFormats,
  type Endpoint,
  endpointId,
  isQueue,
  type Owner,
  type SigningKey,
} from './kernel/endpoint.ts'
export { EngineError, isEngineError, isRefusal, wrongExpectedRevision } from './kernel/errors.ts'
export type { Event, EventMetadata, NewEvent, RecordedEvent } from './kernel/event.ts'
export { filterableIn } from './kernel/event-filter.ts'
export { type EventShapes, misshapen } from './kernel/event-shape.ts'
export type {
  Append,
  Appended,
  EventFilter,
  EventStore,
  ExpectedRevision,
  LastEvent,
  ReadRange,
  Storage,
} from './kernel/event-store.ts'
export { wrapStore } from './kernel/event-store.ts'
export { type Expected, isNoDate, latestExpected, type ReadExpected, readExpected } from './kernel/expected.ts'
export { type FileName, type Files, type FileType, fileTypes, type KeptFile, parsedFileName } from './kernel/files.ts'
export { excerptOf, type Finding, pathTo, type Remark, remark, unknownAmong, within } from './kernel/finding.ts'
export type { Growth } from './kernel/growth.ts'
export { base64OfHex, deriveId, deriveNumber, hmacSha256, sha1, sha256 } from './kernel/id.ts'
export type { JournalRecord, Journals } from './kernel/journal.ts'
export type { Keys } from './kernel/keys.ts'
export type { Lease, Leases } from './kernel/lease.ts'
export { meantBy } from './kernel/meant.ts'
export { isObject, type Members } from './kernel/members.ts'
export { bytesOf, type Held } from './kernel/memory.ts'
export { type Code, type Messages, messageOf, type Params } from './kernel/messages/index.ts'
export type { InterfaceCode } from './kernel/messages/interfaces.ts'
export type { RequestCode } from './kernel/messages/request.ts'
export type { ValueCode } from './kernel/messages/values.ts'
export type { Letters, Message, Messenger } from './kernel/messenger.ts'
export { compareAmounts, convertedAmount, exactMoney, negativeOf, recordedAmount, sumOf } from './kernel/money.ts'
export { named, saidBy, schemaName } from './kernel/named.ts'
export { isNotice } from './kernel/notice.ts'
export { omitUndefined } from './kernel/omit-undefined.ts'
export { oneLine } from './kernel/one-line.ts'
export {
  type Answer,
  type AnswerVersion,
  type BodyPart,
  isPartedBody,
  isWriting,
  type Joined,
  type Operation,
  operation,
  type PartedBody,
  type PartsRule,
  type RestRoute,
  type Text,
  type Tool,
} from './kernel/operation.ts'
export type { PlannedDelivery } from './kernel/order-due.ts'
export type { OrderFamily } from './kernel/order-family.ts'
export { pageAnswerEntries, pageEntries, pageOf } from './kernel/paging.ts'
export type { ShipmentParcel } from './kernel/parcel.ts'
export { capFindings, parse } from './kernel/parse.ts'
export {
  type AskedPayment,
  type BegunAnswer,
  begunAnswer,
  type PaymentCall,
  type PaymentNotice,
  type PaymentProvider,
  type PaymentProviders,
  type PaymentReport,
  paymentProviderFindings,
  paymentReport,
} from './kernel/payment-provider.ts'
export { stateOfImportShop } from './kernel/places/customs-areas.ts'
export { hiddenFrom, isHidden, markOf, priceOf, pricesIn, unpriced, withoutPrices } from './kernel/prices.ts'
export type {
  LabelDpi,
  LabelFormat,
  LabelPrinter,
  LabelSetup,
  LabelSize,
  ManifestRow,
  PageSize,
  PrintedCustoms,
  PrintedDocument,
  PrintedLabel,
  PrintedManifest,
  PrintedParty,
  PrintedStatement,
  SquareCode,
  Unprinted,
} from './kernel/printed-label.ts'
export { labelPapers } from './kernel/printed-label.ts'
export {
  codeOf,
  isExperimental,
  isFailure,
  isReturn,
  isTerminal,
  nearestCode,
  type PageWord,
  type PageWords,
  type Phrases,
  type Profile,
  perProfile,
  phaseOf,
  phraseLanguages,
  plannedAfter,
  profileNamed,
  type StatusCode,
  skippedAfter,
  stepBetween,
} from './kernel/profile.ts'
export {
  type ProfileFault,
  type ProfileFinding,
  type ProfileUse,
  profileFindings,
} from './kernel/profile-findings.ts'
export {
  type ClauseFinding,
  type CodeMapping,
  type Dialect,
  type DocumentCheck,
  type Facet,
  type Fidelity,
  formatUri,
  type KeptSource,
  mediaTypeOf,
  type PagedTimeline,
  type Projection,
  projectInSteps,
  type Reading,
  type Refused,
  type Representation,
  representationsOf,
  type SourceEvent,
  type Target,
  type TimelinePart,
  textOf,
} from './kernel/projection.ts'
export {
  type ProjectionFinding,
  type ProjectionUse,
  projectionFindings,
} from './kernel/projection-findings.ts'
export type { PushedRequest, SenderProof } from './kernel/pushed.ts'
export {
  type Cell,
  type Condition,
  checkCondition,
  checkQuery,
  type ModelFeed,
  maxAmong,
  type Page,
  type Query,
  type ReadModel,
  type ReadModels,
  type Row,
} from './kernel/read-model.ts'
export { type Door, isForKind, isOpenTo, kindsOf, scopesOfAccount, serverScope } from './kernel/rights.ts'
export { refusingMember } from './kernel/schemas.ts'
export { unsealed } from './kernel/sealed-text.ts'
export type { Authenticators, Passkey, PasskeyOptions, Passkeys } from './kernel/second-factor.ts'
export {
  converted,
  gs1TypeOf,
  millionths,
  type SensorKind,
  type SensorType,
  sensorKind,
  sensorKinds,
  sensorTypes,
  typeOfGs1,
  unitCodeOf,
  unitOf,
} from './kernel/sensor-kinds.ts'
export {
  checkedReadings,
  isProblem,
  type Position,
  positionSchema,
  type ReadingInput,
  type ReadingProblem,
  readingIn,
  readingSchema,
  type SensorReading,
  type SeriesKey,
  seriesText,
} from './kernel/sensor-reading.ts'
export type { IngestCounts, Pushed, Pusher, Server, ServerNode, ServerState } from './kernel/server.ts'
export { endingWith } from './kernel/signal.ts'
export {
  isMasked,
  maskedSecret,
  newSecret,
  secretProblem,
  shownSecret,
  signingKey,
} from './kernel/signing-secret.ts'
export type {
  ProviderLogout,
  SignedOnPerson,
  SignOnClient,
  SignOnQuestion,
  SignOnReturn,
  SignOutQuestion,
  SingleSignOn,
} from './kernel/single-sign-on.ts'
export type { SnapshotRow, SnapshotRows } from './kernel/snapshots.ts'
export {
  atOnce,
  createPauses,
  inSteps,
  mapInSteps,
  type Pause,
  type Pauses,
  sortInSteps,
  visitInSteps,
} from './kernel/steps.ts'
export { categoryOf, idInStream, type StreamName } from './kernel/stream.ts'
export { fractionOf, instantOf, instantProblem, isAfter, isoOf, localTime } from './kernel/time.ts'
export {
  type Address,
  type Aggregation,
  type EventVersion,
  hasFormerNamespace,
  type Location,
  type ProofOfDelivery,
  platformProvider,
  type SensorSummary,
  type Source,
  type SourceWords,
  type Subject,
  type Timeline,
  type TimelineEvent,
  versionsOf,
  type Withdrawal,
  withFormerNamespace,
  withVersions,
} from './kernel/timeline.ts'
export { convertedUnits, inUnit } from './kernel/units.ts'
export { type Upcast, type Upcasts, versionOf } from './kernel/upcast.ts'
export type { DraftSeal, Open, Seal, Vault } from './kernel/vault.ts'
export { onTheWayBack } from './kernel/way-back.ts'
export { unlinked } from './kernel/web-address.ts'
export type {
  Audience,
  Reader,
  WebhookEvent,
  WebhookEventFacts,
  WebhookEventSource,
  WebhookEventType,
} from './kernel/webhook-event.ts'
export {
  type AttemptFailure,
  type AttemptPhase,
  type AttemptRecord,
  attemptFailures,
  attemptPhases,
  type Backlog,
  type DeliveryDetail,
  type DeliveryPage,
  type DeliveryQuery,
  type DeliveryRange,
  type DeliveryRecord,
  type DeliveryState,
  deliveryStates,
  type EndpointHealth,
  goneStatus,
  type HealthPeriod,
  isReused,
  latencyBounds,
  type PhaseTimes,
  type PulledEvent,
  type QueueProgress,
  type Webhooks,
} from './kernel/webhooks.ts'
export { withoutMarkup } from './kernel/without-markup.ts'
export { dayIn, instantIn, isTimeZone, zonedIso } from './kernel/zone.ts'
export {
  appendThrough,
  decideAppend,
  decideAppends,
  refuseRepeatedStreams,
  type StreamHead,
} from './store/append.ts'
export { type Change, changeSchema, changesIn } from './store/changes.ts'
export { type CollectingStore, createCollectingStore } from './store/collect.ts'
export { execute, retryOnConflict } from './store/execute.ts'
export { createFeed, type Feed, type FeedPage, type ReadPage } from './store/follow.ts'
export { guarded } from './store/guarded.ts'
export { createKeyedQueue } from './store/keyed-queue.ts'
export { createMemoryStore } from './store/memory.ts'
export { createMemoryModels } from './store/memory-models.ts'
export { categoriesOf, fedBy, modelEvents } from './store/model-events.ts'
export { ownEvents } from './store/own-events.ts'
export { perform, preview } from './store/perform.ts'
export { type Competing, runExclusively } from './store/policy/held-lease.ts'
export { type Life, readPlaces, type Showing, startLife } from './store/policy/life.ts'
export { type Policy, type PolicyFailure, type PolicyNode, runPolicy } from './store/policy/policy.ts'
export { type Sealing, sealedStore, upcasted } from './store/sealed.ts'
export { type Numbers, nextNumbers } from './store/sequence.ts'
export { withoutSnapshots } from './store/snapshots.ts'
export { toNewEvent } from './store/to-new-event.ts'
