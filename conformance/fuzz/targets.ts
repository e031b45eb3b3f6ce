import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFile } from '../program/files.ts'
import {
  checkCut,
  checkEpcisJson,
  checkEpcisXml,
  checkForeign,
  checkGraphql,
  checkHeaders,
  checkHistory,
  checkJson,
  checkKeys,
  checkLines,
  checkRequest,
  checkSignature,
  checkThings,
} from './checks.ts'
import type { FuzzTarget } from './loop.ts'

/** The work that is allowed: some parsers look at their input several times. */
const work = { base: 50_000, perByte: 500 }

const texts =
  (...seeds: readonly string[]) =>
  () =>
    seeds.map((text) => Buffer.from(text))

function filesIn(folder: readonly string[], ending: string): readonly Buffer[] {
  const path = projectFile(...folder)
  return readdirSync(path)
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(path, name)))
}

const goldens = ['projections', 'epcis', 'golden']

/** The parsers that read what others send. */
export const targets: readonly FuzzTarget[] = [
  {
    ...{ name: 'json', check: checkJson, work },
    seeds: texts('{"a":[1,2,{"b":null}],"c":"\\u00e9","c":[]}', '[[],[{}],[[[1]]]]', '"a\\\\"', ' [1 , 2 ] ', '[1,]'),
  },
  { name: 'text', check: checkLines, work, seeds: texts('{"a":1}\n\n[2]\n', '\ufeffé\r\n"\ud83d\ude00"') },
  {
    ...{ name: 'cut', check: checkCut, work },
    seeds: texts('{"subject":{"order_id":1},"events":[{"a":1},{"b":[2]}]}', '{"epcisBody":{"eventList":[1,2]},"a":1}'),
  },
  { name: 'epcis-json', check: checkEpcisJson, work, seeds: () => filesIn(goldens, '.json') },
  {
    name: 'epcis-xml',
    check: checkEpcisXml,
    work,
    seeds: () => filesIn(goldens, '.xml'),
  },
  {
    ...{ name: 'foreign', check: checkForeign, work },
    seeds: () => [
      ...filesIn(['projections', 'aftership', 'golden'], '.json'),
      ...filesIn(['projections', 'amazon', 'golden'], '.json'),
      ...filesIn(['projections', 'onerecord', 'golden'], '.json'),
      ...texts(
        '{"result":{"object":"Tracker","tracking_code":"SR1","tracking_details":[{"status":"delivered","datetime":"2026-06-10"}]}}',
        '{"data":{"number":"SR1","track_info":{"tracking":{"providers":[{"events":[{"sub_status":"InfoReceived"}]}]}}}}',
        '{"trackings":[{"tracker":{"trackingNumber":"SR1"},"events":[{"statusMilestone":"delivered"}]}]}',
        '{"event":"tracker_updated","data":{"tracking_number":"SR1","events":[{"date":"2026-06-10","time":"02:05 PM"}]}}',
      )(),
    ],
  },
  {
    ...{ name: 'keys', check: checkKeys, work },
    seeds: texts(
      ...[
        'urn:epc:id:sscc:4023333.0222222222',
        'https://id.gs1.org/00/340123450000000018',
        'http://a.b/01/09506000134352/21/12',
      ],
      ...[
        'urn:epc:id:sgln:9506000.00001.0',
        'SR260610041',
        'https://example.com/414/9506000134352',
        '2026-06-10T12:00:00.5+02:00',
      ],
    ),
  },
  {
    ...{ name: 'headers', check: checkHeaders, work },
    seeds: texts(
      ...[
        'application/json;q=0.5, application/xml;profile="https://a https://b", */*;q=0.1',
        'de-AT, zh-TW;q=0.8, *;q=0',
      ],
      ...['203.0.113.9, [2001:db8::1]:443, 10.1.2.3', 'Wed, 10 Jun 2026 12:00:30 GMT', '120'],
    ),
  },
  {
    ...{ name: 'signature', check: checkSignature, work },
    seeds: texts(
      'whsec_Y29ycmVjdCBob3JzZSBiYXR0ZXJ5IHN0YXBsZQ==\nwebhook-id: a\nwebhook-timestamp: 1781092800\nwebhook-signature: v1,abc v1,def\n\n{}',
      'secret\nx-ohp-signature: v1=00\nx-ohp-timestamp: 1\nsignature: 00\nx-webhook-content-digest: sha-256=:a:\n\nbody',
    ),
  },
  {
    name: 'history',
    check: checkHistory,
    work,
    seeds: texts(
      '{"format":"otep-history","version":1}\n{"stream":"tracking-a","revision":0,"position":"1","id":"00000000-0000-4000-8000-000000000000","type":"SubjectIdentified","data":{},"metadata":{"schemaVersion":1},"recordedAt":"2026-06-10T12:00:00.000Z"}\n{"events":1,"sha256":"a"}\n',
    ),
  },
  {
    ...{ name: 'request', check: checkRequest, work },
    seeds: () => [
      ...texts(
        'GET /api/v1/otep/trackings/SR1?format=epcis&lang=de HTTP/1.1\nAccept: application/xml\nAccept-Language: fr\nIf-None-Match: "a"',
        'GET /api/v1/otep/trackings/SR%201/events?limit=5&after=1&utm_source=a\nAccept: */*\nX-Forwarded-For: 1.2.3.4',
        'GET /api/v1/otep/trackings?number=a,b&number=c\nOrigin: https://a.example',
        'POST /api/v1/otep/validate?profile=parcel\nContent-Type: application/json\n\n{"subject":{"tracking_number":"A"},"events":[{"occurred_at":"2026-06-10T10:00:00Z","status_code":"delivered"}]}',
        'POST /api/v1/otep/ingest\nAuthorization: Bearer otep_a\nContent-Type: application/x-ndjson\nIdempotency-Key: a\n\n{}',
        'POST /mcp\nContent-Type: application/json\nAccept: application/json, text/event-stream\nMCP-Protocol-Version: 2025-06-18\n\n{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"track","arguments":{"tracking_number":"A"}}}',
        'GET /track/SR1\nAccept: text/html\nAccept-Language: ar',
        'GET /api/v1/orders?page=1&per_page=5&status=new&from=2026-06-01\nAuthorization: Bearer a.b.c',
      )(),
    ],
  },
  {
    ...{ name: 'sensorthings', check: checkThings, work },
    seeds: texts(
      "Things('it''s')/Datastreams('a')/Observations/$ref",
      "$filter=not (result gt 8 and year(phenomenonTime) eq 2026) or startswith(parameters/note,'a''b')",
      "$filter=st_within(FeatureOfInterest/feature, geography'POLYGON ((13 52, 14 52, 14 53, 13 52))')",
      "$filter=now() sub phenomenonTime gt duration'PT1H' and geo.distance(geography'POINT(1 2)',FeatureOfInterest/feature) lt -1.5e2",
      '$orderby=length(parameters/note) desc,result',
      "$expand=Datastream($select=name;$expand=Thing/Locations($top=1;$filter=name eq ')(;')),FeatureOfInterest",
    ),
  },
  {
    ...{ name: 'graphql', check: checkGraphql, work },
    seeds: texts(
      'query A($n: String!) { tracking(number: $n) { events { code } } }',
      '{ __schema { types { name fields { name } } } }',
      'mutation { a(b: [1, "c", {d: E}]) @skip(if: true) { ...F } } fragment F on G { h }',
    ),
  },
]
