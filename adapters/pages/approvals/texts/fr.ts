import { valueTexts } from '../../signed-in/value-texts.ts'
import { countedIn } from '../../texts/language.ts'
import type { ApprovalTexts } from './en.ts'

const counted = countedIn('fr')

/** The fixed texts of the pages of approvals in French. */
export const fr: ApprovalTexts = {
  title: 'Propositions',
  lead: 'Ce que des agents ont proposé et ce qui attend une décision.',
  signIn: 'Pour voir ce que les agents proposent, et en décider.',
  number: (id) => `Compte ${id}`,
  you: 'vous',
  filter: { label: 'Propositions à afficher', all: 'Toutes', mine: 'Les miennes' },
  count: counted({ other: '{number} en attente' }),
  none: 'Aucune proposition n’attend de décision.',
  noneMine: 'Aucune de vos propositions n’attend de décision.',
  zone: (zone) => `Les plus récentes d’abord. Fuseau horaire : ${zone}.`,
  proposal: (id) => `Proposition ${id}`,
  back: 'Toutes les propositions',
  by: 'Proposée par',
  at: 'Proposée le',
  expires: 'Expire le',
  expired: 'Expirée le',
  left: {
    days: counted({ one: 'dans {number} jour', other: 'dans {number} jours' }),
    hours: counted({ one: 'dans {number} heure', other: 'dans {number} heures' }),
    minutes: counted({ one: 'dans {number} minute', other: 'dans {number} minutes' }),
    soon: 'dans moins d’une minute',
  },
  reason: 'Motif',
  decidedBy: 'Décidée par',
  decidedAt: 'Décidée le',
  risks: { low: 'Risque faible', medium: 'Risque moyen', high: 'Risque élevé' },
  statuses: { pending: 'En attente', approved: 'Approuvée', rejected: 'Rejetée', expired: 'Expirée' },
  ...valueTexts.fr,
  refusal: {
    title: 'L’exécution serait impossible maintenant',
    hint: 'Une approbation serait refusée maintenant, et la proposition resterait en attente.',
  },
  decide: {
    title: 'Votre décision',
    approve: 'Approuver et exécuter',
    approveHint: 'La demande est exécutée aussitôt, au nom du compte qui l’a proposée.',
    reject: 'Rejeter',
    rejectHint: 'Rien n’est exécuté.',
    why: 'Motif (facultatif)',
    cannot: 'Votre compte peut consulter cette proposition ; la décision revient à quelqu’un d’autre.',
  },
  done: {
    approved: 'Approuvée : la demande a été exécutée.',
    unsuccessful:
      'Approuvée, mais la demande n’était plus possible. Ce résultat a été enregistré ; rien d’autre n’a changé.',
    rejected: 'Rejetée : rien n’a été fait.',
  },
  late: {
    approved: 'Cette proposition avait déjà été approuvée, donc rien de plus n’a été fait.',
    rejected: 'Cette proposition avait déjà été rejetée, donc rien n’a été fait.',
    expired: 'Cette proposition a expiré, donc rien n’a été fait.',
    pending: 'Les données ont changé au même moment. Rien n’a été fait ; vérifiez de nouveau, puis décidez.',
  },
  missing: {
    title: 'Proposition introuvable',
    lead: 'Elle n’existe pas, ou ce compte ne peut pas la voir.',
  },
  forbidden: {
    title: 'Ce compte ne peut pas voir les propositions',
    lead: 'Connectez-vous avec un autre compte, ou adressez-vous à la personne qui gère les comptes.',
  },
  arriving: 'Ouverture des propositions',
}
