import t from 'tap'
import { parse } from 'valibot'
import { type Target, type Timeline, type TimelineEvent, textOf } from '../../engine/index.ts'
import { profiles } from '../../profiles/index.ts'
import { unregisteredCodes } from '../shared/codes.ts'
import { uncefact } from './index.ts'
import type { Message } from './message-schema.ts'
import { reasonCodeOf } from './reasons.ts'
import { documentSchema, optionsSchema } from './schema.ts'
import type { Vocabulary } from './vocabulary-schema.ts'

const baseUrl = 'https://t.example'
const events = `${baseUrl}/api/v1/otep/trackings/SR%2F1/uncefact/events`
const asVocabulary: Target = { baseUrl, options: {} }
const asMessage: Target = { baseUrl, options: { dialect: 'message' } }

/** An event with only the required members and these. */
function event(id: string, code: string, more: Partial<TimelineEvent> = {}): TimelineEvent {
  return {
    event_id: id,
    otep_version: '0.1',
    occurred_at: '2026-06-10T09:30:00-04:00',
    recorded_at: '2026-06-10T13:31:00Z',
    status_code: code,
    phase: 'transit',
    ...more,
  }
}

function timeline(list: readonly TimelineEvent[], more: Partial<Timeline> = {}): Timeline {
  const last = list.at(-1)?.status_code
  return {
    otep_version: '0.1',
    profile: 'parcel',
    subject: { tracking_number: 'SR/1' },
    ...(last === undefined ? undefined : { current_status: last }),
    delivered: last === 'delivered',
    events: list,
    ...more,
  }
}

const vocabulary = (given: Timeline) => parse(documentSchema, uncefact.project(given, asVocabulary)) as Vocabulary
const message = (given: Timeline) => parse(documentSchema, uncefact.project(given, asMessage)) as Message

/** One event of the document of a timeline of one. */
const eventOf = (one: TimelineEvent, profile = 'parcel') => vocabulary(timeline([one], { profile })).transportEvent[0]
const statusOf = (one: TimelineEvent, profile = 'parcel') =>
  message(timeline([one], { profile })).specifiedConsignment[0]?.reportedLogisticsStatus[0]

const picked = event('E1', 'picked_up')
const failed = event('E2/ü', 'delivery_failed', {
  occurred_at: '2026-06-11T10:00:00.25+02:00',
  recorded_at: '2026-06-11T08:00:01Z',
  description: 'Niemand da.',
  incident_reason: 'consignee_absent',
  estimated_delivery_at: '2026-06-12T12:00:00+02:00',
  source: { type: 'carrier_tracking', provider: 'Sperling', code: 'Z9' },
  synthesized: true,
  location: {
    name: 'Depot',
    unlocode: 'DEBER',
    gln: '9521230000222',
    latitude: 52.5,
    longitude: -0.0000001,
    address: { street: 'Weg 1', locality: 'Berlin', region: 'BE', postal_code: '10115', country: 'DE' },
  },
})
const delivered = event('E3', 'delivered', {
  occurred_at: '2026-06-12T11:00:00+02:00',
  recorded_at: '2026-06-12T09:00:01Z',
  pod: {
    recipient: 'A. Weber',
    signed_at: '2026-06-12T11:00:00+02:00',
    signature_url: 'https://t.example/s.png',
    photo_urls: ['https://t.example/1.jpg', 'https://t.example/2.jpg'],
    note: 'Left at the door.',
  },
})

t.test('the vocabulary', async (t) => {
  t.test('given one event with nothing but what it must have, it is a consignment with one event', async (t) => {
    t.same(uncefact.project(timeline([picked]), asVocabulary), {
      '@context': 'https://vocabulary.uncefact.org/unece-context.jsonld',
      id: `${baseUrl}/id/tracking_number/SR%2F1`,
      type: 'Consignment',
      identifier: 'SR/1',
      carrierAssignedId: 'SR/1',
      specifiedLogisticsStatus: {
        type: 'LogisticsStatus',
        logisticsStatusConditionCode: 'unece:LogisticsStatusCodeList#13',
        referenceDateTime: '2026-06-10T09:30:00-04:00',
      },
      pickUpEvent: { id: `${events}/E1`, type: 'TransportEvent' },
      transportEvent: [
        {
          id: `${events}/E1`,
          type: 'TransportEvent',
          identifier: 'E1',
          typeCode: 'otep:parcel:picked_up',
          reportedConditionTypeCode: 'unece:LogisticsStatusCodeList#13',
          actualOccurrenceDateTime: '2026-06-10T09:30:00-04:00',
          receivedDateTime: '2026-06-10T13:31:00Z',
        },
      ],
    })
  })

  t.test('given an event with everything, every part has its place', async (t) => {
    const measure = (value: string) => ({
      type: 'unece:MeasureType',
      'unece:MeasureTypeValue': { '@type': 'xsd:decimal', '@value': value },
      'unece:MeasureTypeCode': { '@id': 'unece:UnitMeasureCode#DD' },
    })
    t.same(eventOf(failed), {
      id: `${events}/Sperling:E2%2F%C3%BC`,
      type: 'TransportEvent',
      identifier: 'E2/ü',
      typeCode: 'otep:parcel:delivery_failed',
      reportedConditionTypeCode: 'unece:LogisticsStatusCodeList#210',
      actualOccurrenceDateTime: '2026-06-11T10:00:00.25+02:00',
      receivedDateTime: '2026-06-11T08:00:01Z',
      description: 'Niemand da.',
      reasonTypeCode: '269',
      occurrenceLogisticsLocation: {
        type: 'LogisticsLocation',
        identifier: ['DEBER', '9521230000222'],
        name: 'Depot',
        postalAddress: {
          type: 'TradeAddress',
          streetName: 'Weg 1',
          cityName: 'Berlin',
          countrySubDivisionName: 'BE',
          postcodeCode: '10115',
          tradeAddressCountryId: 'unece:CountryId#DE',
        },
        physicalGeographicalCoordinate: {
          type: 'GeographicalCoordinate',
          latitudeMeasure: measure('52.5'),
          longitudeMeasure: measure('-0.0000001'),
        },
      },
      applicableNote: [
        { type: 'Note', subject: 'incident_reason', content: 'consignee_absent' },
        { type: 'Note', subject: 'source.type', content: 'carrier_tracking' },
        { type: 'Note', subject: 'source.provider', content: 'Sperling' },
        { type: 'Note', subject: 'source.code', content: 'Z9' },
        { type: 'Note', subject: 'synthesized', content: 'true' },
      ],
    })
  })

  t.test('given proof of delivery, it stands in notes, a photo each', async (t) => {
    t.same(
      eventOf(delivered)?.applicableNote?.map(({ subject, content }) => [subject, content]),
      [
        ['pod.recipient', 'A. Weber'],
        ['pod.signed_at', '2026-06-12T11:00:00+02:00'],
        ['pod.signature_url', 'https://t.example/s.png'],
        ['pod.photo_urls', 'https://t.example/1.jpg'],
        ['pod.photo_urls', 'https://t.example/2.jpg'],
        ['pod.note', 'Left at the door.'],
      ],
    )
  })

  t.test('given every kind of identifier, each has its member or its note', async (t) => {
    const subject = {
      tracking_number: 'SR/1',
      external_tracking_number: 'X2',
      gs1_sscc: '395212300004172606',
      piece_id: 'unece:p',
      package_id: 7,
      order_id: 8,
    }
    const { id, identifier, carrierAssignedId, globalId, statementNote } = vocabulary(timeline([picked], { subject }))
    t.same(
      { id, identifier, carrierAssignedId, globalId, statementNote },
      {
        id: `${baseUrl}/id/tracking_number/SR%2F1`,
        identifier: 'SR/1',
        carrierAssignedId: 'SR/1',
        globalId: 'https://id.gs1.org/00/395212300004172606',
        statementNote: [
          { type: 'Note', subject: 'external_tracking_number', content: 'X2' },
          { type: 'Note', subject: 'piece_id', content: 'unece:p' },
          { type: 'Note', subject: 'package_id', content: '7' },
          { type: 'Note', subject: 'order_id', content: '8' },
        ],
      },
    )
  })

  t.test('given an id that JSON-LD would take for a prefix, the consignment lies under the server', async (t) => {
    const { id } = vocabulary(timeline([picked], { subject: { piece_id: 'unece:p' } }))
    t.equal(id, `${baseUrl}/id/piece_id/unece%3Ap`)
  })

  t.test('given a delivery, the latest estimate stands beside it', async (t) => {
    t.same(vocabulary(timeline([picked, failed, delivered])).deliveryTransportEvent, {
      id: `${events}/E3`,
      type: 'TransportEvent',
      estimatedOccurrenceDateTime: '2026-06-12T12:00:00+02:00',
    })
  })

  t.test('given only an estimate, the delivery has no id', async (t) => {
    t.same(vocabulary(timeline([failed])).deliveryTransportEvent, {
      type: 'TransportEvent',
      estimatedOccurrenceDateTime: '2026-06-12T12:00:00+02:00',
    })
  })

  t.test('given another end than the delivery, no delivery is estimated any more', async (t) => {
    const ended = timeline([failed, event('E4', 'return_to_sender')])
    t.notOk('deliveryTransportEvent' in vocabulary(ended))
    t.notOk('deliveryEvent' in (message(ended).specifiedConsignment[0] ?? {}))
  })

  t.test('given a later event after the end, the status is the current one', async (t) => {
    const late = timeline([delivered, event('E4', 'in_transit')], { current_status: 'delivered', delivered: true })
    t.same(vocabulary(late).specifiedLogisticsStatus, {
      type: 'LogisticsStatus',
      logisticsStatusConditionCode: 'unece:LogisticsStatusCodeList#21',
      referenceDateTime: '2026-06-12T11:00:00+02:00',
    })
  })

  t.test('given a country that the list has not, it is a text', async (t) => {
    const place = eventOf(event('E1', 'received', { location: { address: { country: 'XK' } } }))
    t.same(place?.occurrenceLogisticsLocation?.postalAddress, { type: 'TradeAddress', countryName: 'XK' })
  })

  t.test('given a place of which nothing is known, there is none', async (t) => {
    for (const location of [{}, { address: {} }, { latitude: 1 }]) {
      t.notOk('occurrenceLogisticsLocation' in (eventOf(event('E1', 'received', { location })) ?? {}))
      t.notOk('specifiedLogisticsLocation' in (statusOf(event('E1', 'received', { location })) ?? {}))
    }
  })

  t.test('given the path of an event, it is found with its context', async (t) => {
    const doc = uncefact.project(timeline([picked, failed]), asVocabulary)
    const found = uncefact.resource?.(doc, 'events/Sperling:E2%2F%C3%BC', asVocabulary) as {
      id: string
      '@context': string
    }
    t.equal(found.id, `${events}/Sperling:E2%2F%C3%BC`)
    t.equal(found['@context'], 'https://vocabulary.uncefact.org/unece-context.jsonld')
    t.same(uncefact.resource?.(doc, 'events/Sperling:E2/ü', asVocabulary), found, 'as a router may decode it')
    t.equal(uncefact.resource?.(doc, 'events/E9', asVocabulary), undefined)
    t.equal(uncefact.resource?.(doc, 'E1', asVocabulary), undefined)
  })
})

t.test('the message', async (t) => {
  t.test('given one event with nothing but what it must have, it is a report with one status', async (t) => {
    const made = uncefact.project(timeline([picked]), asMessage) as Message
    t.match(made.exchangedDocument.id.content, /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    t.same(made, {
      exchangedDocument: {
        id: made.exchangedDocument.id,
        typeCode: { content: '44', listAgencyId: '6' },
        issueDateTime: '2026-06-10T13:31:00Z',
        purposeCode: [{ content: '9', listAgencyId: '6' }],
      },
      specifiedConsignment: [
        {
          id: [{ content: 'SR/1' }],
          carrierAssignedId: { content: 'SR/1' },
          pickUpEvent: { actualOccurrenceDateTime: '2026-06-10T09:30:00-04:00' },
          reportedLogisticsStatus: [
            {
              conditionCode: { content: '13', listAgencyId: '6' },
              referenceDateTime: '2026-06-10T09:30:00-04:00',
              'x-eventId': 'E1',
              'x-statusCode': 'otep:parcel:picked_up',
              'x-recordedDateTime': '2026-06-10T13:31:00Z',
            },
          ],
          'x-subject': { tracking_number: 'SR/1' },
        },
      ],
    })
  })

  t.test('given an event with everything, what the message has no member for is an extension', async (t) => {
    t.same(statusOf(failed), {
      conditionCode: { content: '210', listAgencyId: '6' },
      referenceDateTime: '2026-06-11T10:00:00.25+02:00',
      description: { content: 'Niemand da.' },
      reasonCode: [{ content: '269', listAgencyId: '6' }],
      reason: [{ content: 'consignee_absent' }],
      specifiedLogisticsLocation: [
        {
          id: [{ content: 'DEBER', schemeAgencyId: '6' }],
          name: [{ content: 'Depot' }],
          physicalGeographicalCoordinate: {
            latitude: { content: '52.5', unitCode: 'DD' },
            longitude: { content: '-0.0000001', unitCode: 'DD' },
          },
          'x-gln': '9521230000222',
          'x-address': { street: 'Weg 1', locality: 'Berlin', region: 'BE', postal_code: '10115', country: 'DE' },
        },
      ],
      'x-eventId': 'E2/ü',
      'x-statusCode': 'otep:parcel:delivery_failed',
      'x-recordedDateTime': '2026-06-11T08:00:01Z',
      'x-source': { type: 'carrier_tracking', provider: 'Sperling', code: 'Z9' },
      'x-estimatedDeliveryDateTime': '2026-06-12T12:00:00+02:00',
      'x-synthesized': true,
    })
    t.same(statusOf(delivered)?.['x-proofOfDelivery'], delivered.pod)
  })

  t.test('given a place with a GLN alone, it is the identifier, and GS1 its agency', async (t) => {
    const place = statusOf(event('E1', 'received', { location: { gln: '9521230000222' } }))
    t.same(place?.specifiedLogisticsLocation, [{ id: [{ content: '9521230000222', schemeAgencyId: '9' }] }])
  })

  t.test('given times of recording in several offsets, the latest instant is the time of issue', async (t) => {
    const early = event('E1', 'received', { recorded_at: '2026-06-11T00:30:00+02:00' })
    const late = event('E2', 'in_transit', { recorded_at: '2026-06-10T23:00:00Z' })
    t.equal(message(timeline([late, early])).exchangedDocument.issueDateTime, '2026-06-10T23:00:00Z')
  })

  t.test('given an event that was taken back, the report replaces earlier ones and leaves it out', async (t) => {
    const withdrawn = { ...failed, withdrawn: { declared_at: '2026-06-20T00:00:00Z' } }
    const given = timeline([picked], { withdrawn_events: [withdrawn] })
    const { exchangedDocument, specifiedConsignment } = message(given)
    t.same(exchangedDocument.purposeCode, [{ content: '5', listAgencyId: '6' }])
    t.equal(exchangedDocument.issueDateTime, '2026-06-20T00:00:00Z')
    t.same(
      specifiedConsignment[0]?.reportedLogisticsStatus.map((one) => one['x-eventId']),
      ['E1'],
    )
    t.same(
      vocabulary(given).transportEvent.map(({ identifier }) => identifier),
      ['E1'],
    )
  })

  t.test('given another content, the report has another identifier; given the same, the same', async (t) => {
    const id = (given: Timeline) => message(given).exchangedDocument.id.content
    t.equal(id(timeline([picked])), id(timeline([picked])))
    t.not(id(timeline([picked])), id(timeline([picked, failed])))
  })

  t.test('it has no parts of its own', async (t) => {
    t.equal(uncefact.resource?.(message(timeline([picked])), 'events/E1', asMessage), undefined)
  })
})

t.test('codes', async (t) => {
  t.test('given any code of any profile, the document has the number that the manifest names', async (t) => {
    for (const profile of profiles) {
      for (const code of [...Object.keys(profile.codes), ...Object.keys(unregisteredCodes), 'x-*']) {
        const mapping = uncefact.codes(profile)[code]
        const number = /^\d+/.exec(mapping?.value ?? '')?.[0]
        t.equal(mapping?.fidelity === 'none', number === undefined, code)
        t.equal(
          eventOf(event('E1', code), profile.name)?.reportedConditionTypeCode,
          number === undefined ? undefined : `unece:LogisticsStatusCodeList#${number}`,
          code,
        )
        t.equal(statusOf(event('E1', code), profile.name)?.conditionCode?.content, number, code)
      }
    }
  })

  t.test('given a code that loses meaning, the meaning is the description, unless the producer has one', async (t) => {
    t.equal(eventOf(event('E1', 'cancelled'))?.description, 'The shipment was cancelled.')
    t.equal(eventOf(event('E1', 'route_cancelled'))?.description, 'The route of the parcel was cancelled.')
    t.equal(eventOf(event('E1', 'x-delayed'))?.description, 'The parcel is late.')
    t.equal(eventOf(event('E1', 'cancelled', { description: 'Storno' }))?.description, 'Storno')
    t.equal(eventOf(event('E1', 'cancelled', { description: '' }))?.description, '')
    t.equal(eventOf(event('E1', 'delivered'))?.description, undefined)
    t.equal(statusOf(event('E1', 'cancelled'))?.description?.content, 'The shipment was cancelled.')
  })

  t.test('given a code or a profile that nobody knows, the event is told without a number', async (t) => {
    for (const [code, profile] of [
      ['x-', 'parcel'],
      ['x-constructor', 'parcel'],
      ['__proto__', 'parcel'],
      ['toString', 'parcel'],
      ['delivered', 'ship'],
      ['delivered', '__proto__'],
      ['delivered', 'unregistered'],
    ] as const) {
      const one = eventOf(event('E1', code), profile)
      t.equal(one?.typeCode, `otep:${profile}:${code}`)
      t.equal(one?.reportedConditionTypeCode, undefined, `${profile} ${code}`)
      t.equal(one?.description, undefined, `${profile} ${code}`)
      t.notOk('specifiedLogisticsStatus' in vocabulary(timeline([event('E1', code)], { profile })))
    }
  })

  t.test('given an incident reason, the number depends on where it happened', async (t) => {
    for (const [status, reason, number] of [
      ['delivery_failed', 'consignee_absent', '269'],
      ['delivery_failed', 'Recipient-Absent', '269'],
      ['pickup_failed', 'consignee_absent', undefined],
      ['delivery_failed', 'address_incomplete', '274'],
      ['pickup_failed', 'wrong_address', '234'],
      ['x-damaged', 'damaged', '218'],
      ['delivery_failed', 'refused', '106'],
      ['rejected_by_recipient', 'refused', '325'],
      ['in_transit', 'refused', undefined],
      ['delivery_failed', 'weather', '266'],
      ['pickup_rescheduled', 'weather', '345'],
      ['in_transit', 'weather', undefined],
      ['in_transit', 'strike', '235'],
      ['delivery_failed', 'business_closed', '211'],
      ['pickup_failed', 'business_closed', '338'],
      ['in_transit', 'customs', undefined],
      ['in_transit', 'customs_clearance', '126'],
      ['delivery_failed', 'constructor', undefined],
      ['constructor', 'lost', '49'],
      ['delivery_failed', '', undefined],
    ] as const) {
      t.equal(reasonCodeOf(status, reason), number, `${status} ${reason}`)
    }
  })

  t.test('given a reason without a number, the word stays', async (t) => {
    const one = event('E1', 'delivery_failed', { incident_reason: 'bear on the road' })
    t.notOk('reasonTypeCode' in (eventOf(one) ?? {}))
    t.same(eventOf(one)?.applicableNote, [{ type: 'Note', subject: 'incident_reason', content: 'bear on the road' }])
    t.notOk('reasonCode' in (statusOf(one) ?? {}))
    t.same(statusOf(one)?.reason, [{ content: 'bear on the road' }])
  })
})

t.test('any timeline', async (t) => {
  t.test('given no events, both forms are whole', async (t) => {
    for (const subject of [{}, { order_id: 5 }]) {
      const made = vocabulary(timeline([], { subject }))
      t.same(made.transportEvent, [])
      t.notOk('specifiedLogisticsStatus' in made)
      const report = message(timeline([], { subject }))
      t.equal(report.exchangedDocument.issueDateTime, '1970-01-01T00:00:00Z')
      t.same(report.specifiedConsignment[0]?.reportedLogisticsStatus, [])
    }
  })

  t.test('given hostile texts, they come out as they went in', async (t) => {
    for (const text of [
      '"\\',
      '\u0000\u0007',
      '\u202eabc',
      '👩‍🚒',
      '\ud800',
      '',
      '../..',
      'unece:x',
      'x'.repeat(65_536),
    ]) {
      const hostile = event(text, `x-${text}`, {
        description: text,
        incident_reason: text,
        location: { name: text, address: { street: text, country: text } },
        source: { type: text, provider: text, code: text },
        pod: { recipient: text, note: text, photo_urls: [text] },
      })
      const given = timeline([hostile], { subject: { tracking_number: text, piece_id: text }, profile: text })
      const back = JSON.parse(JSON.stringify(vocabulary(given))) as Vocabulary
      t.equal(back.identifier, text)
      t.equal(back.transportEvent[0]?.identifier, text)
      t.equal(back.transportEvent[0]?.description, text)
      t.equal(back.transportEvent[0]?.occurrenceLogisticsLocation?.name, text)
      t.ok(URL.canParse(back.id) && back.id.startsWith(`${baseUrl}/id/tracking_number/`))
      t.ok(back.transportEvent[0]?.id.startsWith(`${baseUrl}/api/v1/otep/trackings/`))
      const report = JSON.parse(JSON.stringify(message(given))) as Message
      t.equal(report.specifiedConsignment[0]?.reportedLogisticsStatus[0]?.description?.content, text)
    }
  })

  t.test('given 10,000 events, each is told once, in order', async (t) => {
    const many = Array.from({ length: 10_000 }, (_, at) => event(`E${at}`, 'in_transit'))
    t.same(
      vocabulary(timeline(many)).transportEvent.map(({ identifier }) => identifier),
      many.map(({ event_id }) => event_id),
    )
    t.equal(message(timeline(many)).specifiedConsignment[0]?.reportedLogisticsStatus.length, 10_000)
  })

  t.test('given the same timeline twice, the bytes are the same, and the timeline is as it was', async (t) => {
    const given = timeline([picked, failed, delivered])
    const before = JSON.stringify(given)
    for (const target of [asVocabulary, asMessage]) {
      const twice = [1, 2].map(() => JSON.stringify(uncefact.project(JSON.parse(before) as Timeline, target)))
      t.equal(twice[0], twice[1])
    }
    uncefact.project(given, asMessage)
    t.equal(JSON.stringify(given), before)
  })

  t.test('every representation writes the document', async (t) => {
    for (const target of [asVocabulary, asMessage]) {
      const given = timeline([picked, failed])
      for (const representation of uncefact.representations) {
        t.equal(representation.mediaType, 'application/ld+json')
        t.same(JSON.parse(await textOf(uncefact, representation, given, target)), uncefact.project(given, target))
      }
    }
  })

  t.test('options are the dialect alone', async (t) => {
    t.same(parse(optionsSchema, { dialect: 'message' }), { dialect: 'message' })
    t.same(parse(optionsSchema, {}), {})
    t.throws(() => parse(optionsSchema, { dialect: 'edifact' }))
    t.throws(() => parse(optionsSchema, { other: 'x' }))
  })
})
