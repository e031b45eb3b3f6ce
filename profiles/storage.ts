import type { Profile, StatusCode } from '../engine/index.ts'

/**
 * Ends here are the ends of a stay in a machine. They stand for the four of the protocol: `collected` for delivered,
 * `removed` for returned, `deposit_cancelled` for cancelled; nobody rejects what is only fetched.
 */
const codes = {
  deposit_expected: {
    phase: 'pre_shipment',
    terminal: false,
    pod: false,
    meaning: 'A deposit into the machine is announced.',
    like: 'information_submitted',
    webhook: { statusId: 101, key: 'deposit-expected', type: 'S' },
    phrases: {
      en: 'Deposit announced',
      fr: 'Dépôt annoncé',
      chs: '已预报投递',
      cht: '已預報投遞',
      es: 'Depósito anunciado',
      de: 'Einlieferung angekündigt',
      nl: 'Inlevering aangekondigd',
      pt: 'Depósito anunciado',
      it: 'Deposito annunciato',
      sr: 'Polaganje najavljeno',
      hu: 'Elhelyezés bejelentve',
      pl: 'Zapowiedziano nadanie',
      sk: 'Vloženie oznámené',
      cs: 'Vložení oznámeno',
    },
  },
  stored: {
    phase: 'inbound',
    terminal: false,
    pod: true,
    meaning: 'It was put into the machine.',
    like: 'x-available_for_pickup',
    webhook: { statusId: 102, key: 'stored', type: 'S' },
    phrases: {
      en: 'Placed in the locker',
      fr: 'Déposé dans la consigne',
      chs: '已放入柜机',
      cht: '已放入櫃機',
      es: 'Depositado en la taquilla',
      de: 'In das Schließfach gelegt',
      nl: 'In de locker gelegd',
      pt: 'Colocado no cacifo',
      it: 'Depositato nel locker',
      sr: 'Položeno u paketomat',
      hu: 'Elhelyezve a csomagautomatában',
      pl: 'Umieszczono w automacie',
      sk: 'Vložené do boxu',
      cs: 'Vloženo do boxu',
    },
  },
  overdue: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The time to collect it has passed, and it is still in the machine.',
    like: 'x-delayed',
    webhook: { statusId: 103, key: 'overdue', type: 'S' },
    phrases: {
      en: 'Collection overdue',
      fr: 'Délai de retrait dépassé',
      chs: '已超过取件时间',
      cht: '已超過領取時間',
      es: 'Plazo de retirada vencido',
      de: 'Abholfrist überschritten',
      nl: 'Afhaaltermijn verstreken',
      pt: 'Prazo de levantamento ultrapassado',
      it: 'Termine di ritiro scaduto',
      sr: 'Rok za podizanje istekao',
      hu: 'Az átvételi határidő lejárt',
      pl: 'Minął termin odbioru',
      sk: 'Lehota na vyzdvihnutie uplynula',
      cs: 'Lhůta k vyzvednutí uplynula',
    },
  },
  exception_opened: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'There is a problem with the deposit or with the machine.',
    like: 'x-exception',
    webhook: { statusId: 104, key: 'exception-opened', type: 'X' },
    phrases: {
      en: 'Problem reported',
      fr: 'Problème signalé',
      chs: '已报告问题',
      cht: '已回報問題',
      es: 'Incidencia comunicada',
      de: 'Problem gemeldet',
      nl: 'Probleem gemeld',
      pt: 'Problema comunicado',
      it: 'Problema segnalato',
      sr: 'Problem prijavljen',
      hu: 'Probléma bejelentve',
      pl: 'Zgłoszono problem',
      sk: 'Problém nahlásený',
      cs: 'Problém nahlášen',
    },
  },
  exception_resolved: {
    phase: 'exception',
    terminal: false,
    pod: false,
    meaning: 'The problem is settled.',
    failure: false,
    like: 'delivery_rescheduled',
    webhook: { statusId: 105, key: 'exception-resolved', type: 'X' },
    phrases: {
      en: 'Problem resolved',
      fr: 'Problème résolu',
      chs: '问题已解决',
      cht: '問題已解決',
      es: 'Incidencia resuelta',
      de: 'Problem gelöst',
      nl: 'Probleem opgelost',
      pt: 'Problema resolvido',
      it: 'Problema risolto',
      sr: 'Problem rešen',
      hu: 'Probléma megoldva',
      pl: 'Problem rozwiązany',
      sk: 'Problém vyriešený',
      cs: 'Problém vyřešen',
    },
  },
  collected: {
    phase: 'delivered',
    terminal: true,
    pod: true,
    meaning: 'Whoever it waited for has taken it out of the machine.',
    like: 'delivered',
    webhook: { statusId: 106, key: 'collected', type: 'S' },
    phrases: {
      en: 'Collected',
      fr: 'Retiré par le destinataire',
      chs: '已取件',
      cht: '已領取',
      es: 'Retirado por el destinatario',
      de: 'Vom Empfänger entnommen',
      nl: 'Afgehaald',
      pt: 'Levantado',
      it: 'Ritirato dal destinatario',
      sr: 'Podignuto',
      hu: 'Átvéve',
      pl: 'Odebrano z automatu',
      sk: 'Prevzaté z boxu',
      cs: 'Převzato z boxu',
    },
  },
  removed: {
    phase: 'return',
    terminal: true,
    pod: false,
    meaning: 'Staff have taken it out of the machine.',
    like: 'return_to_sender',
    webhook: { statusId: 107, key: 'removed', type: 'S' },
    phrases: {
      en: 'Taken out by staff',
      fr: 'Sorti par le personnel',
      chs: '工作人员已取出',
      cht: '工作人員已取出',
      es: 'Retirado por el personal',
      de: 'Vom Personal entnommen',
      nl: 'Door medewerkers uitgenomen',
      pt: 'Retirado pelo pessoal',
      it: 'Rimosso dal personale',
      sr: 'Osoblje je izvadilo pošiljku',
      hu: 'A személyzet kivette',
      pl: 'Wyjęto przez obsługę',
      sk: 'Vybraté personálom',
      cs: 'Vybráno personálem',
    },
  },
  deposit_cancelled: {
    phase: 'exception',
    terminal: true,
    pod: false,
    meaning: 'The announced deposit will not come.',
    like: 'cancelled',
    webhook: { statusId: 108, key: 'deposit-cancelled', type: 'S' },
    phrases: {
      en: 'Deposit cancelled',
      fr: 'Dépôt annulé',
      chs: '投递已取消',
      cht: '投遞已取消',
      es: 'Depósito cancelado',
      de: 'Einlieferung abgesagt',
      nl: 'Inlevering geannuleerd',
      pt: 'Depósito cancelado',
      it: 'Deposito annullato',
      sr: 'Polaganje otkazano',
      hu: 'Elhelyezés törölve',
      pl: 'Nadanie odwołane',
      sk: 'Vloženie zrušené',
      cs: 'Vložení zrušeno',
    },
  },
} as const satisfies Record<string, StatusCode>

/** The codes of the storage profile. */
export type StorageCode = keyof typeof codes

/**
 * A row for the status before, a column for the next one, in the order of the codes: `o` planned, `.` a report in
 * between is missing (or the status before is terminal and holds), `x` impossible. A problem runs beside the stay, so it
 * may be settled after anything that has happened since. docs/explanation/transitions.md says why.
 */
const transitions = `
  # the next one:     expected stored overdue  problem  collected removed cancelled
  deposit_expected    -        o      .        o .      .         .       o
  stored              .        -      o        o o      o         o       x
  overdue             .        .      -        o o      o         o       x
  exception_opened    .        o      o        - o      o         o       o
  exception_resolved  .        o      o        o -      o         o       o
  collected           .        .      .        . o      -         x       x
  removed             .        .      .        . o      .         -       x
  deposit_cancelled   .        .      .        . o      .         .       -
`

/**
 * The stay of a parcel or of anything else in a locker, a kiosk or a smart drop. Its phases are those of the protocol,
 * as far as a stay has them, so that whoever knows nothing but phases can read it.
 */
export const storage = {
  name: 'storage',
  version: '0.1',
  status: 'draft',
  phases: ['pre_shipment', 'inbound', 'delivered'],
  sidePhases: ['exception', 'return'],
  codes,
  first: ['deposit_expected', 'stored'],
  transitions,
  words: {
    phases: { inbound: 'In the machine', delivered: 'Collected' },
    notices: {
      returning: 'It is no longer in the machine, and nobody has collected it.',
      ended: 'Nothing more is expected here.',
    },
    proof: { delivered: 'Proof of collection' },
  },
} as const satisfies Profile
