import { valueTexts } from '../../signed-in/value-texts.ts'
import { countedIn } from '../../texts/language.ts'
import type { ApprovalTexts } from './en.ts'

const counted = countedIn('de')

/** The fixed texts of the pages of approvals in German. */
export const de: ApprovalTexts = {
  title: 'Vorschläge',
  lead: 'Was Agenten vorgeschlagen haben und was auf eine Entscheidung wartet.',
  signIn: 'Um zu sehen, was Agenten vorschlagen, und darüber zu entscheiden.',
  number: (id) => `Konto ${id}`,
  you: 'Sie',
  filter: { label: 'Wessen Vorschläge', all: 'Alle', mine: 'Nur meine' },
  count: counted({ one: '{number} wartet', other: '{number} warten' }),
  none: 'Kein Vorschlag wartet auf eine Entscheidung.',
  noneMine: 'Keiner Ihrer Vorschläge wartet auf eine Entscheidung.',
  zone: (zone) => `Die neuesten zuerst. Zeitzone: ${zone}.`,
  proposal: (id) => `Vorschlag ${id}`,
  back: 'Alle Vorschläge',
  by: 'Vorgeschlagen von',
  at: 'Vorgeschlagen am',
  expires: 'Läuft ab',
  expired: 'Abgelaufen',
  left: {
    days: counted({ one: 'in {number} Tag', other: 'in {number} Tagen' }),
    hours: counted({ one: 'in {number} Stunde', other: 'in {number} Stunden' }),
    minutes: counted({ one: 'in {number} Minute', other: 'in {number} Minuten' }),
    soon: 'in weniger als einer Minute',
  },
  reason: 'Grund',
  decidedBy: 'Entschieden von',
  decidedAt: 'Entschieden am',
  risks: { low: 'Geringes Risiko', medium: 'Mittleres Risiko', high: 'Hohes Risiko' },
  statuses: { pending: 'Wartet', approved: 'Genehmigt', rejected: 'Abgelehnt', expired: 'Abgelaufen' },
  ...valueTexts.de,
  refusal: {
    title: 'Die Ausführung wäre jetzt nicht möglich',
    hint: 'Eine Genehmigung würde jetzt abgewiesen, und der Vorschlag würde weiter warten.',
  },
  decide: {
    title: 'Ihre Entscheidung',
    approve: 'Genehmigen und ausführen',
    approveHint: 'Es wird sofort ausgeführt, im Namen des Kontos, das es vorgeschlagen hat.',
    reject: 'Ablehnen',
    rejectHint: 'Es wird nichts ausgeführt.',
    why: 'Grund (optional)',
    cannot: 'Ihr Konto kann diesen Vorschlag ansehen; entscheiden muss jemand anders.',
  },
  done: {
    approved: 'Genehmigt: Es wurde ausgeführt.',
    unsuccessful:
      'Genehmigt, aber die Ausführung war nicht mehr möglich. Dieses Ergebnis wurde festgehalten; sonst hat sich nichts geändert.',
    rejected: 'Abgelehnt: Es wurde nichts getan.',
  },
  late: {
    approved: 'Das wurde schon genehmigt, deshalb wurde nichts weiter getan.',
    rejected: 'Das wurde schon abgelehnt, deshalb wurde nichts getan.',
    expired: 'Dieser Vorschlag ist abgelaufen, deshalb wurde nichts getan.',
    pending:
      'Die Daten haben sich im selben Augenblick geändert. Es wurde nichts getan; prüfen Sie den Vorschlag noch einmal und entscheiden Sie.',
  },
  missing: {
    title: 'Vorschlag nicht gefunden',
    lead: 'Es gibt ihn nicht, oder dieses Konto darf ihn nicht sehen.',
  },
  forbidden: {
    title: 'Dieses Konto kann keine Vorschläge sehen',
    lead: 'Melden Sie sich mit einem anderen Konto an, oder fragen Sie, wer die Konten verwaltet.',
  },
  arriving: 'Die Vorschläge werden geöffnet',
}
