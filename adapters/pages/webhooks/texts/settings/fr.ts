import { countedIn } from '../../../texts/language.ts'
import type { SettingsTexts } from './en.ts'

const counted = countedIn('fr')

const fields: SettingsTexts['fields'] = {
  order_create_webhook_url: {
    title: 'Commande créée',
    events: 'Chaque commande de livraison locale qui est créée.',
  },
  order_status_change_webhook_url: {
    title: 'Statut de commande modifié',
    events: 'Chaque changement de statut d’une commande : enlevée, en transit, livrée, incident, annulée.',
  },
  tracking_event_webhook_url: {
    title: 'Événement de suivi',
    events: 'Chaque événement de suivi d’un colis, avec sa preuve de livraison.',
  },
  order_create_async_postback_url: {
    title: 'Import par lot terminé',
    events: 'La fin de chaque import par lot, avec le résultat de chaque ligne.',
  },
  pod_files_webhook_url: {
    title: 'Fichiers des preuves de livraison',
    events: 'Chaque fichier d’une preuve de livraison qui est ajouté, remplacé ou retiré.',
  },
  order_deleted_webhook_url: {
    title: 'Commande supprimée',
    events: 'Chaque commande qui est supprimée définitivement.',
  },
  order_cancel_failed_webhook_url: {
    title: 'Annulation refusée',
    events: 'Chaque tentative refusée d’annuler une commande, avec le motif.',
  },
  route_board_webhook_url: {
    title: 'Tableau des tournées',
    events: 'Chaque changement d’une place ou du tableau lui-même. Pour l’entreprise seulement.',
  },
  endpoint_health_webhook_url: {
    title: 'État des URL',
    events:
      'Chaque URL de webhooks qui est en échec, qui a été désactivée pour cela ou qui reçoit de nouveau. Les autres URL en sont averties.',
  },
  device_order_webhook_url: {
    title: 'Colis en consigne',
    events: 'Colis dans les consignes : déposés, récupérés, retirés, en retard, et incidents.',
  },
  order_lifecycle_webhook_url: {
    title: 'Cycle de vie des commandes',
    events:
      'Chaque étape de la vie d’une commande. Seule l’entreprise est aussi avertie quand un chauffeur prend ou quitte son service.',
  },
  driver_location_webhook_url: {
    title: 'Positions des chauffeurs',
    events: 'Les positions des chauffeurs, au plus une par chauffeur et par intervalle. Pour l’entreprise seulement.',
  },
}

/** The texts of the pages of settings in French. */
export const fr: SettingsTexts = {
  comma: ', ',
  named: (name) => `${name} :`,
  signIn: 'Pour configurer les webhooks et voir ce qui a été envoyé.',
  back: 'Paramètres des webhooks',
  arriving: 'Ouverture des webhooks',
  title: 'Webhooks',
  lead: 'Ce serveur envoie une requête POST à ces URL quand quelque chose se produit. Une réponse 2xx confirme la réception.',
  titleOf: (customer) => `Webhooks de ${customer}`,
  leadOf: 'Si un client a une URL, les événements de ses commandes y sont envoyés au lieu d’aller à l’entreprise.',
  tabs: {
    label: 'Pages des webhooks',
    settings: 'Paramètres',
    urls: 'État',
    customers: 'Clients',
    providers: 'Fournisseurs',
    partners: 'Partenaires de remise',
    parked: 'Événements mis de côté',
    events: 'Catalogue des événements',
  },
  fields,
  none: 'Aucune URL.',
  url: (index) => `URL ${index}`,
  manner: {
    format: 'Format',
    signature: 'Signature',
    standard_signature: 'Standard Webhooks',
    in_order: 'Dans l’ordre pour chaque objet',
    ed25519: 'Clé publique (ed25519)',
    where: 'Seulement si, par exemple : type in (D, P)',
  },
  signatures: { native: 'Signature simple', standard: 'Aussi Standard Webhooks' },
  publicKeys: 'Clés publiques',
  only: 'Seulement ces événements',
  all: 'Si aucun n’est choisi, tous les événements sont envoyés.',
  numbers: {
    driver_location_min_interval_sec: 'Secondes entre deux positions d’un chauffeur',
    disable_failing_after_days: 'Jours d’échec après lesquels une URL est désactivée ; 0 pour jamais',
  },
  emails: (most) => `Adresses e-mail averties elles aussi, séparées par des virgules ; au plus ${most}`,
  copyTitle: 'Copies pour l’entreprise',
  copy: 'L’entreprise reçoit aussi les événements envoyés au client',
  save: 'Enregistrer',
  saveHint: (most) =>
    `Chaque champ accepte jusqu’à ${most} URL ; enregistrez-en une pour ajouter la suivante. Les tests vont aux URL enregistrées. pull: suivi d’un nom, comme pull:shop, est une file que vous lisez vous-même.`,
  wholeNumber: (least, most) => `Saisissez un nombre entier de ${least} à ${most}.`,
  wholeNumberOrNothing: (least, most) => `Saisissez un nombre entier de ${least} à ${most}, ou rien.`,
  urlFaults: {
    malformed: 'Ce n’est pas une URL valide.',
    'too long': 'Cette URL est trop longue.',
    'not https': 'Cette URL doit commencer par https://.',
    credentials: 'Cette URL ne doit contenir ni nom d’utilisateur ni mot de passe.',
    fragment: 'Cette URL ne doit pas contenir de partie après #.',
    port: 'Le port de cette URL n’est pas autorisé pour les webhooks.',
    address: 'Cette URL ne mène pas à une adresse publique, ou son nom d’hôte est introuvable.',
  },
  saved: 'Enregistré.',
  notSaved: counted({
    one: 'Rien n’a été enregistré. Vérifiez {number} saisie.',
    other: 'Rien n’a été enregistré. Vérifiez {number} saisies.',
  }),
  problems: 'Saisies à vérifier',
  secret: {
    title: 'Secret de signature',
    lead: 'Les destinataires l’utilisent pour vérifier qu’une requête vient de ce serveur.',
    none: 'Il n’y en a pas encore. Il est créé avec la première URL.',
    now: 'Secret',
    reveal: 'Afficher',
    revealHint: 'Chaque affichage est consigné.',
    rotate: 'Renouveler',
    rotateHint:
      'Le nouveau secret est utilisé aussitôt. Pour Standard Webhooks, le précédent signe encore pendant 24 heures.',
    own: 'Votre propre secret (vide pour un secret aléatoire)',
    expire: 'Invalider maintenant les clés remplacées',
    expireHint: 'À utiliser si une clé a fuité.',
    replaced: 'Les clés remplacées signent encore jusqu’au',
    value: 'Pour les bibliothèques Standard Webhooks, copiez cette valeur, et non le secret saisi',
    plain: 'Pour l’en-tête Signature, le secret lui-même',
    copy: 'Copier',
    copied: 'Copié',
    rotated:
      'Les requêtes sont désormais signées avec un nouveau secret. Affichez-le pour le transmettre aux destinataires.',
    expired: 'Les clés remplacées ne sont plus utilisées.',
  },
  test: {
    button: 'Envoyer un test',
    of: (title) => `Envoyer un test : ${title}`,
    event: 'Événement du test',
    to: 'URL du test',
    good: (status, ms) => `Le test a été remis : statut ${status} après ${ms} ms.`,
    bad: (reason, ms) => `Le test n’a pas été remis : ${reason}, après ${ms} ms.`,
    answer: 'Réponse',
    empty: 'La réponse n’avait pas de corps.',
    log: 'Le voir dans le journal',
  },
  customers: {
    title: 'Webhooks des clients',
    lead: 'Si un client a ses propres URL, ses événements y sont envoyés au lieu d’aller à l’entreprise.',
    none: 'Il n’y a pas de clients.',
    own: counted({ one: '{number} URL propre', other: '{number} URL propres' }),
    business: 'Utilise les URL de l’entreprise',
    customer: 'Client',
    overrides: 'Événements envoyés à ses propres URL',
    copy: 'Copies pour l’entreprise',
    copied: 'oui',
    notCopied: 'non',
    more: 'Plus',
  },
  providers: {
    title: 'Webhooks des fournisseurs',
    lead: 'Un point de réception par fournisseur et par canal, chacun avec son propre secret.',
    none: 'Aucun fournisseur n’a encore de point de réception.',
    url: 'URL',
    sandboxUrl: 'URL du bac à sable (facultative)',
    sandbox: 'Envoyer les événements du bac à sable',
    add: 'Ajouter un point de réception',
    provider: 'Fournisseur',
    providerHint: 'Son nom, tel qu’il a été enregistré.',
    channel: 'Canal',
    exists: 'Ce point de réception existe déjà ; modifiez-le ci-dessous.',
    saved: 'Enregistré.',
    deleted: 'Le point de réception a été supprimé.',
    remove: 'Supprimer…',
    removeHint:
      'Le fournisseur ne reçoit plus d’événements, les envois en attente sont omis et le secret est supprimé.',
    removeNow: 'Supprimer le point de réception',
  },
  partners: {
    title: 'Abonnements des partenaires de remise',
    lead: 'Les partenaires qui remettent des commandes s’abonnent à ce qu’elles deviennent, ou vous le faites pour eux. Les secrets ne sont plus affichés ensuite.',
    none: 'Aucun partenaire ne s’est encore abonné.',
    partner: 'Partenaire',
    url: 'URL',
    events: 'Événements',
    since: 'Depuis',
    actions: 'Actions',
    revoke: 'Supprimer',
    add: 'Abonner un partenaire',
    addHint: 'L’URL doit d’abord renvoyer un défi signé avec le secret.',
    done: { added: 'Le partenaire est abonné.', revoked: 'L’abonnement a été supprimé.' },
  },
  missing: {
    title: 'Page introuvable',
    lead: 'Elle n’existe pas, ou ce compte ne peut pas la voir.',
  },
  forbidden: {
    title: 'Ce compte ne peut pas faire cela',
    lead: 'Connectez-vous avec un autre compte, ou adressez-vous à la personne qui gère les comptes.',
  },
}
