import { accounts } from './accounts.ts'
import { approvals } from './approvals.ts'
import { devices } from './devices.ts'
import type { Messages } from './en.ts'
import { orders } from './orders.ts'
import { partners } from './partners.ts'
import { tools } from './tools.ts'
import { webhooks } from './webhooks.ts'

/** Every message of the engine in French. A no-break space stands before a colon, a narrow one before a semicolon. */
export const fr: Messages = {
  // The request
  malformed_json: 'Le texte n’est pas du JSON : {reason}',
  malformed_xml: 'Le texte n’est pas du XML, ligne {line} : {reason}',
  invalid_utf8: 'Le texte n’est pas en UTF-8.',
  unsupported_media_type: 'Le type de contenu {received} n’est pas accepté ici. Types acceptés : {expected}.',
  unsupported_encoding: 'L’encodage de contenu {received} n’est pas accepté. Encodages acceptés : {expected}.',
  broken_encoding: 'Le corps de la requête ne peut pas être décodé en tant que {received}.',
  body_interrupted: 'Le corps s’est interrompu avant d’être complet.',
  header_not_accepted: 'L’en-tête {field} vaut {received}. Valeurs admises : {expected}.',
  member_too_late: 'Dans un flux, {field} doit précéder {before}.',
  payload_too_large: 'Le corps de la requête dépasse {limit} octets.',
  too_many_events: 'Une requête accepte au plus {limit} événements.',
  too_many_refused: 'Plus de {limit} événements ont été refusés. La suite n’a pas été lue.',
  invalid_input: 'L’entrée n’est pas valide : {count} erreur(s), listée(s) avec leur chemin.',
  unauthenticated: 'Une clé ou un jeton valide est nécessaire : Authorization: Bearer <clé ou jeton>.',
  forbidden: 'Cette clé ne permet pas cette opération. Droits requis : {scopes}.',
  route_not_found: 'Il n’y a rien à cette adresse.',
  method_not_allowed: 'Cette adresse n’accepte pas la méthode {received}. Méthodes acceptées : {expected}.',
  unknown_format: 'Le format {received} n’existe pas. Formats disponibles : {expected}.',
  resource_not_found: 'Le document ne contient pas cette partie.',
  not_acceptable: 'Rien de ce qui est proposé ici ne correspond à l’en-tête Accept. Types proposés : {expected}.',
  format_not_read: 'Les documents au format {received} ne peuvent pas être lus. Formats lus : {expected}.',
  batch_too_large: 'La réponse serait trop volumineuse dans son ensemble. Demandez ce numéro séparément.',
  timeline_not_found: 'Ce numéro de suivi est inconnu.',
  unknown_event: 'Cette chronologie ne contient pas d’événement {received}.',
  ambiguous_identifier: '{kind} {value} correspond à plusieurs chronologies : {candidates}. Indiquez l’une d’elles.',
  nothing_accepted: 'Aucun événement n’a été accepté ; les motifs sont indiqués pour chacun.',
  nothing_stored:
    'Le mode tout ou rien était demandé et {count} événement(s) ont été refusés : rien n’a été enregistré.',
  wrong_expected_revision: 'Le flux {stream} est à la révision {actual}, et non {expected}.',
  contention: 'Trop d’écritures simultanées sur la même chronologie. Renvoyez la même requête.',
  too_many_streams: 'Trop de connexions en direct sont ouvertes. Réessayez plus tard.',
  too_busy: 'Trop de requêtes volumineuses en même temps. Renvoyez la même requête dans un instant.',
  store_unavailable: 'Le stockage n’accepte pas d’écritures pour le moment. Renvoyez la même requête plus tard.',
  erasure_unfinished:
    'Ce que ceci dit de personnes est effacé et n’est plus lu, mais sa clé peut rester dans le journal du stockage jusqu’au départ de ceux qui y lisent. Relancez alors la même commande.',
  wrong_secret_key:
    'Les données personnelles sont verrouillées : OTEP_SECRET_KEY (ou le fichier secret.key) n’est pas le secret de ce stockage.',
  internal: 'Une erreur s’est produite de notre côté. Elle est consignée sous {request}.',
  provider_exists: 'Le fournisseur {name} a déjà une clé valide. Révoquez-la d’abord.',
  provider_not_found: 'Aucun fournisseur {name} n’a de clé valide.',
  // A value and its place
  required: '{field} est obligatoire.',
  wrong_type: 'Attendu : {expected} ; reçu : {received}.',
  unknown_field: 'Le champ {field} n’existe pas ici.',
  too_long: 'Longueur maximale : {limit}.',
  too_short: 'Longueur minimale : {limit}.',
  too_small: 'La valeur doit être supérieure ou égale à {limit}.',
  too_large: 'La valeur doit être inférieure ou égale à {limit}.',
  unknown_value: '{received} ne figure pas parmi les valeurs admises : {expected}.',
  bad_pattern: 'La forme demandée n’est pas respectée : {expected}.',
  not_sscc: 'SSCC attendu : 18 chiffres.',
  not_gln: 'GLN attendu : 13 chiffres.',
  not_unlocode: 'UN/LOCODE attendu : deux majuscules pour le pays, trois lettres ou chiffres pour le lieu.',
  not_country: 'Pays attendu sous la forme de deux majuscules (ISO 3166-1 alpha-2).',
  not_provider_name: 'Lettres minuscules et chiffres attendus, en mots reliés par un seul trait d’union.',
  control_character: 'Les caractères de contrôle ne sont pas autorisés.',
  not_well_formed: 'Le texte contient la moitié d’une paire de substitution et n’est pas de l’Unicode valide.',
  blank: 'La valeur ne doit être ni vide ni composée uniquement d’espaces.',
  check_digit: 'Le dernier chiffre n’est pas la clé de contrôle des autres.',
  not_a_url: 'Une URL absolue en http ou https est attendue.',
  not_a_date_time:
    '{field} n’est pas une date-heure : format ISO 8601 avec décalage UTC attendu, par exemple 2026-06-10T09:30:00-04:00.',
  offset_missing:
    '{field} n’a pas de décalage UTC : format ISO 8601 avec décalage UTC attendu, par exemple 2026-06-10T09:30:00-04:00.',
  no_such_date: '{field} désigne un instant qui n’existe pas.',
  findings_cut: 'Seuls les {limit} premiers constats sont listés.',
  // The protocol
  occurred_at_required: 'occurred_at est obligatoire (ISO 8601 avec décalage UTC)',
  unsupported_version:
    'La version {received} du protocole n’est pas prise en charge. Versions prises en charge : {expected}.',
  unknown_profile: 'Le profil {received} n’existe pas. Profils disponibles : {expected}.',
  unknown_status_code: '{received} n’est pas un code du profil {profile}. Un code non enregistré commence par x-.',
  experimental_code: '{received} est un code non enregistré, lu comme tel ; level 2 n’admet que des codes enregistrés.',
  no_identifier: 'L’objet suivi (subject) doit porter au moins un identifiant : {expected}.',
  phase_mismatch: 'La phase de {code} est {expected}, et non {received}.',
  current_status_mismatch: 'D’après les événements, le statut actuel est {expected}, et non {received}.',
  delivered_mismatch: 'D’après les événements, delivered = {expected}.',
  events_or_status_required:
    'Une chronologie doit contenir des événements, ou un current_status si la source n’a pas d’historique.',
  source_missing: 'L’événement n’indique pas qui l’a signalé (source.type).',
  duplicate_event_id: 'event_id {received} figure déjà en {first}.',
  out_of_order:
    'Cet événement s’est produit avant celui qui le précède. Les événements sont classés dans l’ordre où ils se sont produits.',
  in_future: 'Cet instant se situe à plus d’un jour dans le futur.',
  first_step_skipped: 'Une chronologie ne commence pas par {to} ; valeurs attendues : {expected}.',
  step_skipped: '{from} -> {to} saute une étape ; l’une des suivantes était attendue : {expected}.',
  after_terminal: '{to} vient après le statut final {from}, qui est maintenu.',
  impossible_transition: '{from} -> {to} n’est pas possible.',
  no_projection: 'Aucune projection vers une norme externe n’accepte tous les codes de cette chronologie.',
  unexpected_proof: 'Les événements du code {code} ne portent pas de preuve.',
  // Recording
  event_id_conflict: 'event_id {received} a déjà été enregistré avec une autre valeur de {field} : {recorded}.',
  field_differs:
    '{field} a été enregistré avec une autre valeur, qui est conservée. Retirez l’événement pour la corriger.',
  personal_data_dropped:
    'Ce qui est dit ici de personnes n’est pas conservé : les données personnelles de la chronologie ont été effacées.',
  source_mismatch: 'Cette clé écrit au nom de {expected}, et non de {received}.',
  other_identifier: 'La chronologie de {owner} a un autre {kind} : {known}, et non {value}.',
  other_profile: 'La chronologie de {owner} suit le profil {known}, et non {received}.',
  identifiers_disagree: '{kind} {value} appartient à la chronologie de {owner}, {other} à celle de {otherOwner}.',
  zone_assumed: 'L’heure n’a pas de fuseau. Elle est lue comme UTC et conservée avec le décalage -00:00.',
  meaning_unknown: 'La signification de {received} n’est pas connue ici. C’est lu comme {decided}.',
  // Reading EPCIS
  not_epcis: 'Un EPCISDocument, un EPCISQueryDocument ou un événement EPCIS avec son @context est attendu.',
  unknown_context:
    '{received} n’est pas un contexte connu ici, et aucun n’est téléchargé. Contextes connus : {expected}.',
  undeclared_prefix: 'Le préfixe {received} n’est pas déclaré.',
  reserved_term: '{received} est un terme d’EPCIS et ne peut pas être redéfini.',
  not_a_uri: 'Un URI absolu est attendu.',
  not_an_event_id: 'Un UUID sous forme d’URN ou un SHA-256 sous forme d’URI ni est attendu.',
  not_an_offset: 'Un décalage par rapport à UTC est attendu, par exemple +01:00 ou -05:00.',
  unknown_cbv_word: '{received} n’est ni un mot du CBV pour {field}, ni un URI hors de GS1.',
  not_unique: 'Cette valeur figure ici deux fois.',
  allowed_only_with: '{field} n’est admis qu’avec {expected}.',
  corrects_itself: 'Un événement ne peut pas être sa propre correction.',
  not_taken: '{field} n’est pas repris.',
  class_level: '{received} désigne une classe d’objets, et non un objet précis, et ne concerne aucune chronologie.',
  no_single_thing: 'L’événement ne désigne aucun objet précis qui soit suivi.',
  too_deep: 'Au plus {limit} niveaux sont admis.',
  element_order: '{field} n’est pas à la place prévue par le schéma.',
  code_decided: '{received} peut correspondre à plusieurs codes. Il a été lu comme {decided}.',
  code_missing: '{received} n’a pas de code propre. Il a été lu comme {decided}.',
  ...accounts.fr,
  ...orders.fr,
  ...devices.fr,
  ...approvals.fr,
  ...tools.fr,
  ...webhooks.fr,
  ...partners.fr,
}
