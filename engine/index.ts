export { type AccountCommand, type AccountState, accountStream, accounts } from './domains/accounts/account.ts'
export { type App, type AppEvent, appStream, apps, availableClient } from './domains/accounts/apps/app.ts'
export { appBootstrap } from './domains/accounts/apps/bootstrap.ts'
export { assignApp, configureApp, setAppAvailability, showApp } from './domains/accounts/apps/platform.ts'
export { confirmOnPage, register } from './domains/accounts/apps/register.ts'
export { readLogo, type ServedLogo, sweepLogos } from './domains/accounts/brand/logo.ts'
export { type BusinessState, businesses, businessStream } from './domains/accounts/business.ts'
export { updateAccount } from './domains/accounts/corrections.ts'
export type { AccountEvent, BusinessEvent, SessionEvent } from './domains/accounts/events.ts'
export {
  beginAuthenticator,
  beginPasskey,
  confirmAuthenticator,
  confirmPasskey,
  listFactors,
  removeFactor,
  renewRecoveryCodes,
} from './domains/accounts/factors/own.ts'
export { passkeysOf } from './domains/accounts/factors/passkeys.ts'
export { clearFactors, getFactorRule, removeFactorsOf, setFactorRule } from './domains/accounts/factors/rule.ts'
export { forgetAccount } from './domains/accounts/forget.ts'
export { requestedScopes, scopeBundles } from './domains/accounts/grants/bundles.ts'
export {
  documentedClient,
  isDocumentId,
  type OAuthClient,
  registerClient,
  registeredClient,
} from './domains/accounts/grants/client.ts'
export { giveGrant } from './domains/accounts/grants/give.ts'
export { accessTokensOf, type Grant, grantStream, grants } from './domains/accounts/grants/grant.ts'
export { listGrants, revokeGrant } from './domains/accounts/grants/operations.ts'
export { isOnThisMachine, isRegistered, placeOf } from './domains/accounts/grants/redirect.ts'
export {
  type GrantRequest,
  grantRequestOf,
  type RequestError,
  type Resources,
  requestErrors,
} from './domains/accounts/grants/request.ts'
export { grantTokenIn } from './domains/accounts/grants/secret.ts'
export { redeemCode, refreshGrant, returnToken } from './domains/accounts/grants/tokens.ts'
export { accountIdOfEmail, bindingOf, isBoundTo, lastBinding, linkIdentity } from './domains/accounts/identity.ts'
export {
  type ApiKey,
  apiKeyStream,
  apiKeys,
  hasExpired,
  isUseDue,
  type KeySecret,
  secretsOf,
} from './domains/accounts/keys/key.ts'
export {
  createApiKey,
  getApiKey,
  listApiKeys,
  revokeApiKey,
  revokeOwnApiKeys,
  rotateApiKey,
} from './domains/accounts/keys/operations.ts'
export { endApiKey, issueApiKey, listAllApiKeys, renewApiKey } from './domains/accounts/keys/platform.ts'
export { apiKeyIdIn } from './domains/accounts/keys/secret.ts'
export { letters } from './domains/accounts/letters.ts'
export { openLink } from './domains/accounts/links/link.ts'
export {
  confirmEmailChange,
  forgotPassword,
  requestEmailChange,
  setPasswordByLink,
} from './domains/accounts/links/operations.ts'
export { listAccounts, setAccountStatus } from './domains/accounts/operations.ts'
export {
  listAllAccounts,
  registerAccount,
  replaceEmail,
  resetPassword,
  setModule,
  showModules,
  switchAccount,
} from './domains/accounts/platform.ts'
export { asAccount } from './domains/accounts/read.ts'
export {
  createStaffRole,
  listStaffRoles,
  removeStaffRole,
  updateStaffRole,
} from './domains/accounts/roles/operations.ts'
export { endStaffRole, giveStaffRole, putStaffRole, showStaffRoles } from './domains/accounts/roles/platform.ts'
export { rolePresets, roleScopes } from './domains/accounts/roles/terms.ts'
export {
  createServiceAccount,
  createServiceAccountKey,
  registerServiceAccount,
} from './domains/accounts/service-accounts.ts'
export { defaultSessionDays, isOpen, type Session, sessionStream, sessions } from './domains/accounts/session.ts'
export { endOtherSessions, endSession, listSessions } from './domains/accounts/sessions/operations.ts'
export { currentUser, login, logout } from './domains/accounts/sign-in.ts'
export { beginPasskeySignIn, beginSetup, confirmSetup, loginSecondFactor } from './domains/accounts/sign-in-steps.ts'
export { isAnyProved } from './domains/accounts/sign-on/domain-model.ts'
export { domainIn } from './domains/accounts/sign-on/domains.ts'
export {
  claimDomain,
  proveDomain,
  releaseDomain,
  removeSignOn,
  setSignOn,
  showSignOn,
} from './domains/accounts/sign-on/operations.ts'
export { confirmDomain, endSignOn, showSignOnOf, takeDomain } from './domains/accounts/sign-on/platform.ts'
export { type SignOn, signOnForDomain } from './domains/accounts/sign-on/setting.ts'
export { beginSignOn, finishSignOn } from './domains/accounts/sign-on/sign-in.ts'
export { signedOutIn, signOnTicketIn, signOnTime } from './domains/accounts/sign-on/ticket.ts'
export { beginSignOut, endByProvider } from './domains/accounts/sign-out.ts'
export { eraseProposalsOf } from './domains/approvals/erase.ts'
export {
  approvePendingWrite,
  getProposal,
  listPendingApprovals,
  proposeWrite,
  rejectPendingWrite,
} from './domains/approvals/operations.ts'
export {
  applyRules,
  applyToFree,
  providerWithdrew,
  serveWaiting,
  waitedRules,
} from './domains/assignment-rules/apply.ts'
export { hasRules, rulesStream } from './domains/assignment-rules/rules.ts'
export type { BatchEvent } from './domains/batches/events.ts'
export { workOnBatch } from './domains/batches/work.ts'
export {
  addCarrierAccount,
  listCarrierAccounts,
  removeCarrierAccount,
  testCarrierAccount,
} from './domains/carriers/account-operations.ts'
export { ownFleet } from './domains/carriers/own-fleet.ts'
export * from './domains/codes.ts'
export { deviceOrder } from './domains/device-orders/device-order.ts'
export { becomeOverdue, waitingDeviceOrders } from './domains/device-orders/overdue.ts'
export { type DeviceOrder, type DeviceOrderCommand, deviceOrders } from './domains/device-orders/rules.ts'
export { type TrackedStay, trackedStay } from './domains/device-orders/tracked.ts'
export { type CaptureJob, captureEpcis, captureEvent, captureJob, captureJobs } from './domains/epcis/capture.ts'
export type { EpcisEventCaptured } from './domains/epcis/events.ts'
export {
  type FoundSource,
  findSources,
  listSourceValues,
  type SourcePlace,
  type ValuesPlace,
} from './domains/epcis/find.ts'
export {
  dropQuery,
  maxSubscriptions,
  type NamedQuery,
  namedQueries,
  namedQuery,
  nameQuery,
  type QuerySubscription,
} from './domains/epcis/queries.ts'
export { isSeenBy, lookedUp, thingsOf } from './domains/epcis/reader.ts'
export { lastTick, nextTick, type Ticks, ticksOf } from './domains/epcis/schedule.ts'
export {
  accountReportOwners,
  emptyReportOwners,
  isSubscribed,
  lastNotifiedAt,
  loadReports,
  maxEarlier,
  noBusiness,
  querySubscription,
  querySubscriptions,
  reportEndpoint,
  reportOwner,
  reportOwnerOf,
  reportStream,
  type SubscribedQuery,
  sourceSubject,
  standingReports,
  subscriberOf,
  subscribeToQuery,
  unsubscribeFromQuery,
} from './domains/epcis/subscriptions.ts'
export { dueHandoffs, expireHandoff } from './domains/handoffs/expiry.ts'
export {
  handoffEndpoints,
  handoffSubscriptions,
  loadSubscriptions,
  type SubscriptionState,
  subscriptionOwnerOf,
  subscriptionStream,
} from './domains/handoffs/subscriptions/decider.ts'
export {
  createPartnerSubscription,
  listPartnerSubscriptions,
  revokePartnerSubscription,
  testPartnerSubscription,
} from './domains/handoffs/subscriptions/partner-operations.ts'
export { catalogues, domains, en, entities, kinds } from './domains/index.ts'
export { getOnTimeRate } from './domains/insights/on-time.ts'
export { getServerState } from './domains/insights/server-state.ts'
export { getToday } from './domains/insights/today.ts'
export type { LabelEvent } from './domains/labels/events.ts'
export { type Asked, askForScans, type DueNumber, dueNumbers, followLabel } from './domains/labels/follow.ts'
export { forgetLabel, forgetPickup } from './domains/labels/forget.ts'
export { dueManifests, workOnManifest } from './domains/labels/manifest.ts'
export { duePickups, workOnPickup } from './domains/labels/pickups/work.ts'
export { dueLabels, workOnLabel } from './domains/labels/work.ts'
export {
  type AskedNews,
  blindAddress,
  isMailAddress,
  type NewsRequest,
  newsRequestIn,
  sealNewsRequest,
  stopToken,
  subscriptionOf,
} from './domains/news/request.ts'
export {
  askAgain,
  canHaveNews,
  confirmNews,
  dueNews,
  duePutOff,
  endNews,
  finishNews,
  subjectOfNews,
} from './domains/news/subscribe.ts'
export { newsDueIn } from './domains/news/subscription.ts'
export { type News, newsOf, noteTold, putOffNews } from './domains/news/tell.ts'
export { getOperationEvents } from './domains/orders/audit.ts'
export type { OrderCommand } from './domains/orders/commands.ts'
export { orders } from './domains/orders/decider.ts'
export { isLate } from './domains/orders/due.ts'
export type { OrderEvent } from './domains/orders/events.ts'
export { findOrder } from './domains/orders/find.ts'
export { dueAnswers, endAnswerTime } from './domains/orders/for-assignment-rules.ts'
export { forgetOrder } from './domains/orders/forget.ts'
export { ordersThatChange } from './domains/orders/live.ts'
export { type Move, statusMoves as moves } from './domains/orders/moves.ts'
export { orderTable } from './domains/orders/order.ts'
export { printLocalLabel } from './domains/orders/print.ts'
export { exportOrders, getOrderDetail, getOrders } from './domains/orders/read.ts'
export { type Status, statuses as orderStatuses, statusForCustomer } from './domains/orders/status.ts'
export { orderOf } from './domains/orders/streams.ts'
export {
  isWithoutTracking,
  parcelOf,
  progressOf,
  type Tracked,
  timelineEventId,
  trackedBy,
} from './domains/orders/timeline.ts'
export { dueLockerDeliveries, expireLockerDelivery } from './domains/partner-lockers/expiry.ts'
export * from './domains/ports.ts'
export { listProofFiles } from './domains/proof/operations.ts'
export { type OpenedFile, openLinkedFile, removeUploads, removingTypes, sweepUploads } from './domains/proof/uploads.ts'
export {
  isExpired,
  keysOf,
  type Provider,
  type ProviderCommand,
  type ProviderKey,
  providers,
  type Register,
  registerStream,
} from './domains/providers/decider.ts'
export type { ProviderEvent } from './domains/providers/events.ts'
export { getIngestHealth } from './domains/providers/ingest-health.ts'
export { addProvider, listProviders, revokeProvider, rotateProviderKey } from './domains/providers/operations.ts'
export {
  addOwnProvider,
  listOwnProviders,
  revokeOwnProvider,
  rotateCallingKey,
  rotateOwnProviderKey,
} from './domains/providers/own.ts'
export { keyExpiries } from './domains/providers/read.ts'
export { otepTrackingsBatch } from './domains/tracking/batch.ts'
export { brandFor } from './domains/tracking/brand.ts'
export { changesOf, type TimelineChange } from './domains/tracking/changes.ts'
export { hasCheckDigit } from './domains/tracking/check-digit.ts'
export { tracking } from './domains/tracking/commands.ts'
export { createLink, linkHours } from './domains/tracking/create-link.ts'
export type { Requirement } from './domains/tracking/draft.ts'
export { otepIngestEpcis, requireCaptureHeader } from './domains/tracking/epcis.ts'
export type { TrackingEvent } from './domains/tracking/events.ts'
export { otepTrackingEvents } from './domains/tracking/events-page.ts'
export { type FeedChange, feedOf, feedPlaceOf, feedPositionIn, requireReader } from './domains/tracking/feed.ts'
export { isInPlainText, otepForget } from './domains/tracking/forget.ts'
export {
  optionNames,
  otepFormats,
  type RequestedFormat,
  requestedFormat,
  versionOfFormat,
} from './domains/tracking/formats.ts'
export { canonicalKey, canonicalLink, linkOfPath, primaryKeys } from './domains/tracking/gs1-key.ts'
export {
  type Identifier,
  type IdentifierKind,
  identifierKinds,
  identifiersOf,
  keyTextOf,
  publicKinds,
  publicSubject,
  timelineName,
} from './domains/tracking/identifiers.ts'
export { linkTo } from './domains/tracking/link.ts'
export {
  otepIngest,
  otepTracking,
  otepTrackingResource,
} from './domains/tracking/operations.ts'
export {
  decidingStreams,
  findStream,
  findTimeline,
  type LoadedTimeline,
  readState,
  readTimeline,
  revisionOf,
  timelineRead,
} from './domains/tracking/read.ts'
export { readerOf } from './domains/tracking/readings.ts'
export { publicEventPaths } from './domains/tracking/reduced.ts'
export { type RequirementId, requirements } from './domains/tracking/requirements.ts'
export {
  eventBounds,
  longestWord,
  maxEvents,
  maxThings,
  sourceTypes,
  timelineSchema,
} from './domains/tracking/schema.ts'
export { keptState } from './domains/tracking/snapshot.ts'
export { visibleSources } from './domains/tracking/sources.ts'
export { heldStates } from './domains/tracking/state-cache.ts'
export { summaryOf } from './domains/tracking/summary.ts'
export { counts, givesWay, otepVersion, statusOf, statusOfFacts, timelineOf } from './domains/tracking/timeline.ts'
export { trackPackage } from './domains/tracking/track-package.ts'
export { otepValidate } from './domains/tracking/validate-operation.ts'
export { findVisible, findVisibleName, readVisible, type View, type Visible } from './domains/tracking/visible.ts'
export type { JobEvent } from './domains/uniorders/job-events.ts'
export { dueJobs, forgetJob, workOnJob } from './domains/uniorders/job-work.ts'
export { type Wallet, type WalletCommand, type WalletEvent, walletStream, wallets } from './domains/wallets/wallet.ts'
export { callbackHooks, isCallback, loadCallback, signerOf } from './domains/webhooks/callback.ts'
export {
  type EndpointCommand,
  type ProviderEndpoint,
  providerEndpoints,
} from './domains/webhooks/endpoint-decider.ts'
export { deleteWebhookEndpoint, listWebhookEndpoints } from './domains/webhooks/endpoint-operations.ts'
export {
  expireEndpointSecrets,
  revealEndpointSecret,
  rotateEndpointSecret,
} from './domains/webhooks/endpoint-secrets.ts'
export type { EndpointEvent, SettingsEvent } from './domains/webhooks/events.ts'
export { type HealthMail, healthMailOf, healthMailTypes } from './domains/webhooks/health-mail.ts'
export { getWebhookHealth } from './domains/webhooks/health-summary.ts'
export { endpointIn, type Hooks, hooksOf, loadHooks } from './domains/webhooks/hooks.ts'
export { keyOverlap } from './domains/webhooks/keys.ts'
export {
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverWebhook,
  redeliverWebhooks,
  replayWebhookDeliveries,
  retryWebhookDelivery,
} from './domains/webhooks/log-operations.ts'
export { type ProviderChannel, providerChannels, webhookOwnerOf, webhookStream } from './domains/webhooks/owners.ts'
export { listParkedWebhookEvents, rebuildWebhookEvents } from './domains/webhooks/parked.ts'
export { parkedStream, type WebhookEventParked, type WebhookEventReleased } from './domains/webhooks/parked-events.ts'
export { countParked } from './domains/webhooks/parked-model.ts'
export { pullWebhooks } from './domains/webhooks/pull-operations.ts'
export { ownersOf, type Recipient, recipientsOf } from './domains/webhooks/recipients.ts'
export { reportHealth } from './domains/webhooks/report-health.ts'
export { expireWebhookSecrets, revealWebhookSecret, rotateWebhookSecret } from './domains/webhooks/secret-operations.ts'
export { type SettingsCommand, webhookSettings } from './domains/webhooks/settings-decider.ts'
export { getWebhookSettings } from './domains/webhooks/settings-operations.ts'
export {
  getWebhookUrl,
  listWebhookUrls,
  tuneWebhookUrl,
  type urlDetail,
  type urlRecord,
} from './domains/webhooks/url-operations.ts'
export { maxUrls, splitUrls } from './domains/webhooks/urls.ts'

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
  type CarrierScan,
  type Carriers,
  carrierAnswers,
  ownFleetName,
  type PickupRequest,
  type Purchase,
  type Shipment,
  type ShipmentParcel,
  type ShipmentParty,
} from './kernel/carrier.ts'
export { carrierFindings } from './kernel/carrier-findings.ts'
export type { Catalogue, Kind, Language } from './kernel/catalogue.ts'
export { type Channel, channels, type DeliveryChannel, type UrlField, urlFields } from './kernel/channel.ts'
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
export { type CsvCell, csvLine } from './kernel/csv.ts'
export { type CustomHeader, isReservedHeader, maxCustomHeaders } from './kernel/custom-headers.ts'
export { type Decider, fold, type Reducer } from './kernel/decider.ts'
export type { Domain } from './kernel/domain.ts'
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
export { type FileName, type Files, type FileType, fileTypes, type KeptFile, parsedFileName } from './kernel/files.ts'
export { excerptOf, type Finding, pathTo, type Remark, remark, within } from './kernel/finding.ts'
export type { Growth } from './kernel/growth.ts'
export { deriveId, deriveNumber, sha1, sha256 } from './kernel/id.ts'
export type { JournalRecord, Journals } from './kernel/journal.ts'
export type { Keys } from './kernel/keys.ts'
export type { Lease, Leases } from './kernel/lease.ts'
export { isObject, type Members } from './kernel/members.ts'
export { bytesOf, type Held } from './kernel/memory.ts'
export { type Code, type Messages, messageOf, type Params } from './kernel/messages/index.ts'
export type { Letters, Message, Messenger } from './kernel/messenger.ts'
export { named, saidBy, schemaName } from './kernel/named.ts'
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
export { pageAnswerEntries, pageEntries, pageOf } from './kernel/paging.ts'
export { parse } from './kernel/parse.ts'
export { hiddenFrom, isHidden, markOf, priceOf, pricesIn, unpriced, withoutPrices } from './kernel/prices.ts'
export type {
  LabelFormat,
  LabelPrinter,
  ManifestRow,
  PrintedLabel,
  PrintedManifest,
  PrintedParty,
  SquareCode,
} from './kernel/printed-label.ts'
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
export {
  type Cell,
  type Condition,
  checkCondition,
  checkQuery,
  maxAmong,
  type Page,
  type Query,
  type ReadModel,
  type ReadModels,
  type Row,
} from './kernel/read-model.ts'
export { type Door, isForKind, isOpenTo, kindsOf, scopesOfAccount, serverScope } from './kernel/rights.ts'
export { unsealed } from './kernel/sealed-text.ts'
export type { Authenticators, Passkey, PasskeyOptions, Passkeys } from './kernel/second-factor.ts'
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
export { type Upcast, type Upcasts, versionOf } from './kernel/upcast.ts'
export type { DraftSeal, Open, Seal, Vault } from './kernel/vault.ts'
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
  type HealthPeriod,
  isReused,
  latencyBounds,
  type PhaseTimes,
  type PulledEvent,
  type QueueProgress,
  type Webhooks,
} from './kernel/webhooks.ts'
export { dayIn, isTimeZone, zonedIso } from './kernel/zone.ts'
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
export { ownEvents } from './store/own-events.ts'
export { perform, preview } from './store/perform.ts'
export { type Competing, runExclusively } from './store/policy/held-lease.ts'
export { type Life, readPlaces, type Showing, startLife } from './store/policy/life.ts'
export { type Policy, type PolicyFailure, type PolicyNode, runPolicy } from './store/policy/policy.ts'
export { type Sealing, sealedStore, upcasted } from './store/sealed.ts'
export { type Numbers, nextNumbers } from './store/sequence.ts'
export { withoutSnapshots } from './store/snapshots.ts'
export { toNewEvent } from './store/to-new-event.ts'
