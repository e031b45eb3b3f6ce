import { valueTexts } from '../../signed-in/value-texts.ts'
import { countedIn } from '../../texts/language.ts'
import type { ApprovalTexts } from './en.ts'

const counted = countedIn('ar')

/** The fixed texts of the pages of approvals in Arabic. */
export const ar: ApprovalTexts = {
  title: 'الاقتراحات',
  lead: 'ما اقترحه الوكلاء البرمجيون وما ينتظر قرارًا.',
  signIn: 'لمعرفة ما يقترحه الوكلاء البرمجيون، واتخاذ القرار.',
  number: (id) => `الحساب ${id}`,
  you: 'أنت',
  filter: { label: 'اقتراحات مَن', all: 'الكل', mine: 'اقتراحاتي فقط' },
  count: counted({ other: '{number} في الانتظار' }),
  none: 'لا يوجد اقتراح ينتظر قرارًا.',
  noneMine: 'لا ينتظر أيٌّ من اقتراحاتك قرارًا.',
  zone: (zone) => `الأحدث أولًا. المنطقة الزمنية: ⁨${zone}⁩.`,
  proposal: (id) => `الاقتراح ${id}`,
  back: 'جميع الاقتراحات',
  by: 'اقترحه',
  at: 'وقت الاقتراح',
  expires: 'ينتهي في',
  expired: 'انتهى في',
  left: {
    days: counted({
      one: 'بعد يوم واحد',
      two: 'بعد يومين',
      few: 'بعد {number} أيام',
      many: 'بعد {number} يومًا',
      other: 'بعد {number} يوم',
    }),
    hours: counted({ one: 'بعد ساعة واحدة', two: 'بعد ساعتين', few: 'بعد {number} ساعات', other: 'بعد {number} ساعة' }),
    minutes: counted({
      one: 'بعد دقيقة واحدة',
      two: 'بعد دقيقتين',
      few: 'بعد {number} دقائق',
      other: 'بعد {number} دقيقة',
    }),
    soon: 'بعد أقل من دقيقة',
  },
  reason: 'السبب',
  decidedBy: 'صاحب القرار',
  decidedAt: 'وقت القرار',
  risks: { low: 'مخاطرة منخفضة', medium: 'مخاطرة متوسطة', high: 'مخاطرة عالية' },
  statuses: { pending: 'في الانتظار', approved: 'تمت الموافقة عليه', rejected: 'مرفوض', expired: 'منتهي الصلاحية' },
  ...valueTexts.ar,
  refusal: {
    title: 'لا يمكن تنفيذه الآن',
    hint: 'ستُرفض الموافقة الآن، وسيبقى الاقتراح في الانتظار.',
  },
  decide: {
    title: 'قرارك',
    approve: 'الموافقة والتنفيذ',
    approveHint: 'يُنفَّذ فورًا باسم الحساب الذي اقترحه.',
    reject: 'رفض',
    rejectHint: 'لا يُنفَّذ شيء.',
    why: 'السبب (اختياري)',
    cannot: 'يمكن لحسابك الاطلاع على هذا الاقتراح، لكن القرار لشخص آخر.',
  },
  done: {
    approved: 'تمت الموافقة: نُفِّذ الطلب.',
    unsuccessful: 'تمت الموافقة، لكن الطلب لم يعد ممكنًا. سُجّلت هذه النتيجة، ولم يتغيّر شيء آخر.',
    rejected: 'رُفض الاقتراح: لم يُنفَّذ شيء.',
  },
  late: {
    approved: 'تمت الموافقة على هذا من قبل، فلم يُنفَّذ شيء آخر.',
    rejected: 'رُفض هذا من قبل، فلم يُنفَّذ شيء.',
    expired: 'انتهت صلاحية هذا الاقتراح، فلم يُنفَّذ شيء.',
    pending: 'تغيّرت البيانات في اللحظة نفسها. لم يُنفَّذ شيء؛ تحقّق من جديد ثم قرّر.',
  },
  missing: {
    title: 'الاقتراح غير موجود',
    lead: 'لا وجود له، أو لا يحق لهذا الحساب الاطلاع عليه.',
  },
  forbidden: {
    title: 'لا يمكن لهذا الحساب رؤية الاقتراحات',
    lead: 'سجّل الدخول بحساب آخر، أو اسأل من يدير الحسابات.',
  },
  arriving: 'جارٍ فتح الاقتراحات',
}
