import { accounts } from './accounts.ts'
import { approvals } from './approvals.ts'
import { devices } from './devices.ts'
import type { Messages } from './en.ts'
import { orders } from './orders.ts'
import { partners } from './partners.ts'
import { tools } from './tools.ts'
import { webhooks } from './webhooks.ts'

/** Every message of the engine in German. */
export const de: Messages = {
  // The request
  malformed_json: 'Der Text ist kein JSON: {reason}',
  malformed_xml: 'Der Text ist kein XML, Zeile {line}: {reason}',
  invalid_utf8: 'Der Text ist nicht in UTF-8 codiert.',
  unsupported_media_type: 'Der Inhaltstyp {received} wird hier nicht akzeptiert. Akzeptiert: {expected}.',
  unsupported_encoding: 'Die Inhaltscodierung {received} wird nicht akzeptiert. Akzeptiert: {expected}.',
  broken_encoding: 'Der Anfragetext lässt sich nicht als {received} decodieren.',
  body_interrupted: 'Der Inhalt brach ab, bevor er vollständig war.',
  header_not_accepted: 'Der Header {field} ist {received}. Angenommen wird: {expected}.',
  member_too_late: 'In einem Strom muss {field} vor {before} stehen.',
  payload_too_large: 'Der Anfragetext ist größer als {limit} Byte.',
  too_many_events: 'Eine Anfrage darf höchstens {limit} Ereignisse enthalten.',
  too_many_refused: 'Mehr als {limit} Ereignisse wurden abgelehnt. Was folgt, wurde nicht gelesen.',
  invalid_input: 'Die Eingabe ist ungültig: {count} Fehler, jeweils mit Pfad aufgeführt.',
  unauthenticated: 'Gültige Zugangsdaten sind erforderlich: Authorization: Bearer <Schlüssel oder Token>.',
  forbidden: 'Diese Zugangsdaten erlauben das nicht. Erforderlich: {scopes}.',
  route_not_found: 'Unter dieser Adresse gibt es nichts.',
  method_not_allowed: 'Diese Adresse akzeptiert {received} nicht. Akzeptiert: {expected}.',
  unknown_format: 'Das Format {received} gibt es nicht. Verfügbare Formate: {expected}.',
  resource_not_found: 'Das Dokument hat keinen solchen Teil.',
  not_acceptable: 'Nichts von dem, was hier angeboten wird, passt zum Accept-Header. Angeboten: {expected}.',
  format_not_read: 'Dokumente im Format {received} können nicht gelesen werden. Lesbar sind: {expected}.',
  batch_too_large: 'Die Antwort würde insgesamt zu groß. Fragen Sie diese Nummer einzeln ab.',
  timeline_not_found: 'Diese Sendungsnummer ist unbekannt.',
  unknown_event: 'In diesem Verlauf gibt es kein Ereignis {received}.',
  ambiguous_identifier: '{kind} {value} gehört zu mehreren Verläufen: {candidates}. Geben Sie einen davon an.',
  nothing_accepted: 'Kein Ereignis wurde angenommen; die Gründe stehen beim jeweiligen Ereignis.',
  nothing_stored:
    'Alles oder nichts war verlangt, und {count} Ereignis(se) wurden abgelehnt: Nichts wurde gespeichert.',
  wrong_expected_revision: 'Der Stream {stream} steht bei Revision {actual}, nicht bei {expected}.',
  contention: 'Zu viele gleichzeitige Schreibzugriffe auf denselben Verlauf. Senden Sie dieselbe Anfrage erneut.',
  too_many_streams: 'Es sind zu viele Live-Verbindungen geöffnet. Versuchen Sie es später erneut.',
  too_busy: 'Zu viele große Anfragen gleichzeitig. Senden Sie dieselbe Anfrage in Kürze erneut.',
  store_unavailable: 'Der Speicher nimmt derzeit keine Schreibzugriffe an. Senden Sie dieselbe Anfrage später erneut.',
  erasure_unfinished:
    'Was dies über Menschen sagt, ist gelöscht und wird nicht mehr gelesen, aber der Schlüssel kann noch im Log des Speichers liegen, bis alle fertig sind, die dort gerade lesen. Danach bitte noch einmal ausführen.',
  wrong_secret_key:
    'Die personenbezogenen Daten sind gesperrt: OTEP_SECRET_KEY (oder die Datei secret.key) ist nicht das Geheimnis dieses Speichers.',
  internal: 'Auf unserer Seite ist ein Fehler aufgetreten. Er ist unter {request} protokolliert.',
  provider_exists: 'Der Anbieter {name} hat bereits einen gültigen Schlüssel. Widerrufen Sie diesen zuerst.',
  provider_not_found: 'Es gibt keinen Anbieter {name} mit einem gültigen Schlüssel.',
  // A value and its place
  required: '{field} ist erforderlich.',
  wrong_type: 'Erwartet: {expected}; erhalten: {received}.',
  unknown_field: 'Das Feld {field} gibt es hier nicht.',
  too_long: 'Höchstlänge: {limit}.',
  too_short: 'Mindestlänge: {limit}.',
  too_small: 'Der Wert muss mindestens {limit} betragen.',
  too_large: 'Der Wert darf höchstens {limit} betragen.',
  unknown_value: '{received} gehört nicht zu den zulässigen Werten: {expected}.',
  bad_pattern: 'Entspricht nicht der verlangten Form: {expected}.',
  not_sscc: 'Eine SSCC wird erwartet: 18 Ziffern.',
  not_gln: 'Eine GLN wird erwartet: 13 Ziffern.',
  not_unlocode:
    'Ein UN/LOCODE wird erwartet: zwei Großbuchstaben für das Land, drei Buchstaben oder Ziffern für den Ort.',
  not_country: 'Ein Land aus zwei Großbuchstaben wird erwartet (ISO 3166-1 Alpha-2).',
  not_provider_name:
    'Kleinbuchstaben und Ziffern werden erwartet, in Wörtern, die ein einzelner Bindestrich verbindet.',
  control_character: 'Steuerzeichen sind nicht zulässig.',
  not_well_formed: 'Der Text enthält ein halbes Surrogatpaar und ist kein gültiges Unicode.',
  blank: 'Der Wert darf nicht leer sein oder nur aus Leerzeichen bestehen.',
  check_digit: 'Die letzte Ziffer ist nicht die Prüfziffer der übrigen.',
  not_a_url: 'Erwartet wird eine absolute URL mit http oder https.',
  not_a_date_time:
    '{field} ist keine Datums- und Zeitangabe: erwartet ISO 8601 mit UTC-Offset, z. B. 2026-06-10T09:30:00-04:00.',
  offset_missing: '{field} hat keinen UTC-Offset: erwartet ISO 8601 mit UTC-Offset, z. B. 2026-06-10T09:30:00-04:00.',
  no_such_date: '{field} nennt einen Zeitpunkt, den es nicht gibt.',
  findings_cut: 'Nur die ersten {limit} Befunde sind aufgeführt.',
  // The protocol
  occurred_at_required: 'occurred_at ist erforderlich (ISO 8601 mit UTC-Offset)',
  unsupported_version: 'Version {received} des Protokolls wird nicht unterstützt. Unterstützt: {expected}.',
  unknown_profile: 'Das Profil {received} gibt es nicht. Verfügbare Profile: {expected}.',
  unknown_status_code: '{received} ist kein Code des Profils {profile}. Ein nicht registrierter Code beginnt mit x-.',
  experimental_code:
    '{received} ist ein nicht registrierter Code und wird als solcher gelesen; level 2 lässt nur registrierte Codes zu.',
  no_identifier: 'Das verfolgte Objekt (subject) braucht mindestens eine Kennung: {expected}.',
  phase_mismatch: 'Die Phase von {code} ist {expected}, nicht {received}.',
  current_status_mismatch: 'Aus den Ereignissen ergibt sich der aktuelle Status {expected}, nicht {received}.',
  delivered_mismatch: 'Aus den Ereignissen ergibt sich delivered = {expected}.',
  events_or_status_required:
    'Ein Verlauf braucht Ereignisse oder, wenn die Quelle keine Historie hat, einen current_status.',
  source_missing: 'Das Ereignis gibt nicht an, wer es gemeldet hat (source.type).',
  duplicate_event_id: 'event_id {received} steht bereits unter {first}.',
  out_of_order:
    'Dieses Ereignis ist vor dem darüberstehenden eingetreten. Ereignisse werden nach dem Zeitpunkt ihres Eintretens geordnet.',
  in_future: 'Dieser Zeitpunkt liegt mehr als einen Tag in der Zukunft.',
  first_step_skipped: 'Ein Verlauf beginnt nicht mit {to}; erwartet wird: {expected}.',
  step_skipped: '{from} -> {to} überspringt einen Schritt; erwartet wird einer von: {expected}.',
  after_terminal: '{to} folgt auf den Endstatus {from}, der bestehen bleibt.',
  impossible_transition: '{from} -> {to} ist nicht möglich.',
  no_projection: 'Keine Projektion in einen externen Standard nimmt alle Codes dieses Verlaufs auf.',
  unexpected_proof: 'Ereignisse mit dem Code {code} tragen keinen Nachweis.',
  // Recording
  event_id_conflict: 'Zu event_id {received} ist für {field} bereits ein anderer Wert aufgezeichnet: {recorded}.',
  field_differs:
    'Für {field} ist ein anderer Wert aufgezeichnet, der bestehen bleibt. Ziehen Sie das Ereignis zurück, um ihn zu korrigieren.',
  personal_data_dropped:
    'Was hier über Personen steht, wird nicht aufbewahrt: Die Angaben des Verlaufs wurden gelöscht.',
  source_mismatch: 'Mit diesen Zugangsdaten schreiben Sie als {expected}, nicht als {received}.',
  other_identifier: 'Der Verlauf von {owner} hat {kind} {known}, nicht {value}.',
  other_profile: 'Der Verlauf von {owner} hat das Profil {known}, nicht {received}.',
  identifiers_disagree: '{kind} {value} gehört zum Verlauf von {owner}, {other} zu dem von {otherOwner}.',
  zone_assumed: 'Die Zeit hat keine Zone. Sie wird als UTC gelesen und mit der Abweichung -00:00 behalten.',
  meaning_unknown: 'Was {received} bedeutet, ist hier nicht bekannt. Es wird als {decided} gelesen.',
  // Reading EPCIS
  not_epcis: 'Erwartet wird ein EPCISDocument, ein EPCISQueryDocument oder ein EPCIS-Ereignis mit seinem @context.',
  unknown_context: '{received} ist hier kein bekannter Kontext, und keiner wird geladen. Bekannt sind: {expected}.',
  undeclared_prefix: 'Das Präfix {received} ist nicht deklariert.',
  reserved_term: '{received} ist ein Wort von EPCIS und kann nicht neu deklariert werden.',
  not_a_uri: 'Erwartet wird ein absoluter URI.',
  not_an_event_id: 'Erwartet wird eine UUID als URN oder ein SHA-256 als ni-URI.',
  not_an_offset: 'Erwartet wird ein Abstand zu UTC wie +01:00 oder -05:00.',
  unknown_cbv_word: '{received} ist weder ein Wort des CBV für {field} noch ein URI außerhalb von GS1.',
  not_unique: 'Das steht hier zweimal.',
  allowed_only_with: '{field} ist nur mit {expected} erlaubt.',
  corrects_itself: 'Ein Ereignis kann nicht seine eigene Berichtigung sein.',
  not_taken: '{field} wird nicht übernommen.',
  class_level: '{received} nennt eine Klasse von Dingen, kein einzelnes Ding, und betrifft keine Zeitleiste.',
  no_single_thing: 'Das Ereignis nennt kein einzelnes Ding, das verfolgt wird.',
  too_deep: 'Höchstens {limit} Ebenen sind erlaubt.',
  element_order: '{field} steht nicht dort, wo das Schema es vorsieht.',
  code_decided: '{received} kann mehrere Codes bedeuten. Gelesen wurde es als {decided}.',
  code_missing: '{received} hat keinen eigenen Code. Gelesen wurde es als {decided}.',
  ...accounts.de,
  ...orders.de,
  ...devices.de,
  ...approvals.de,
  ...tools.de,
  ...webhooks.de,
  ...partners.de,
}
