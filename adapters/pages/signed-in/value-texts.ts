import type { PageLanguage } from '../../../engine/index.ts'
import { countedIn } from '../texts/language.ts'
import { count } from './texts.ts'

/** The texts around the values of a call and the changes that it would make, in English; another language is another object of this shape. */
export const en = {
  changes: {
    title: 'What would change',
    hint: 'These changes would be made now. Names, addresses and notes are shown only in the arguments.',
    none: 'Nothing would change.',
    was: 'was',
    becomes: 'becomes',
    left: (facts: number) => `And ${count(facts, 'more change')}, too many to show here.`,
    leftOf: (values: number) => `And ${count(values, 'more value')}, too many to show here.`,
  },
  input: {
    title: 'Called with',
    name: 'Argument',
    value: 'Value',
    none: 'It is called without arguments.',
    erased: 'The arguments were erased.',
    empty: 'empty',
    nothing: 'nothing',
    cut: (characters: number) => `(${count(characters, 'character')} in the middle left out)`,
    more: (rows: number) => `Show ${count(rows, 'more argument')}`,
    left: (rows: number) => `And ${count(rows, 'more argument')}, too many to show here.`,
  },
}

/** The texts around values and changes in one language. */
export type ValueTexts = typeof en

const frCounted = countedIn('fr')

const fr: ValueTexts = {
  changes: {
    title: 'Ce qui changerait',
    hint: 'Ces modifications seraient faites maintenant. Les noms, les adresses et les notes ne figurent que dans les arguments.',
    none: 'Rien ne changerait.',
    was: 'était',
    becomes: 'devient',
    left: frCounted({
      one: 'Et {number} autre modification, qui n’est pas affichée ici.',
      other: 'Et {number} autres modifications, trop nombreuses pour être affichées ici.',
    }),
    leftOf: frCounted({
      one: 'Et {number} autre valeur, qui n’est pas affichée ici.',
      other: 'Et {number} autres valeurs, trop nombreuses pour être affichées ici.',
    }),
  },
  input: {
    title: 'Arguments de l’appel',
    name: 'Argument',
    value: 'Valeur',
    none: 'L’appel se fait sans argument.',
    erased: 'Les arguments ont été effacés.',
    empty: 'vide',
    nothing: 'rien',
    cut: frCounted({ one: '({number} caractère omis au milieu)', other: '({number} caractères omis au milieu)' }),
    more: frCounted({ one: 'Afficher {number} autre argument', other: 'Afficher {number} autres arguments' }),
    left: frCounted({
      one: 'Et {number} autre argument, qui n’est pas affiché ici.',
      other: 'Et {number} autres arguments, trop nombreux pour être affichés ici.',
    }),
  },
}

const deCounted = countedIn('de')

const de: ValueTexts = {
  changes: {
    title: 'Was sich ändern würde',
    hint: 'Diese Änderungen würden jetzt vorgenommen. Namen, Adressen und Notizen stehen nur in den Argumenten.',
    none: 'Es würde sich nichts ändern.',
    was: 'war',
    becomes: 'wird zu',
    left: deCounted({
      one: 'Und {number} weitere Änderung, die hier nicht gezeigt wird.',
      other: 'Und {number} weitere Änderungen, zu viele, um sie hier zu zeigen.',
    }),
    leftOf: deCounted({
      one: 'Und {number} weiterer Wert, der hier nicht gezeigt wird.',
      other: 'Und {number} weitere Werte, zu viele, um sie hier zu zeigen.',
    }),
  },
  input: {
    title: 'Aufgerufen mit',
    name: 'Argument',
    value: 'Wert',
    none: 'Der Aufruf hat keine Argumente.',
    erased: 'Die Argumente wurden gelöscht.',
    empty: 'leer',
    nothing: 'nichts',
    cut: deCounted({ other: '({number} Zeichen in der Mitte ausgelassen)' }),
    more: deCounted({ one: '{number} weiteres Argument anzeigen', other: '{number} weitere Argumente anzeigen' }),
    left: deCounted({
      one: 'Und {number} weiteres Argument, das hier nicht gezeigt wird.',
      other: 'Und {number} weitere Argumente, zu viele, um sie hier zu zeigen.',
    }),
  },
}

const esCounted = countedIn('es')

const es: ValueTexts = {
  changes: {
    title: 'Qué cambiaría',
    hint: 'Estos cambios se harían ahora. Los nombres, las direcciones y las notas solo se muestran en los argumentos.',
    none: 'No cambiaría nada.',
    was: 'antes era',
    becomes: 'pasa a ser',
    left: esCounted({
      one: 'Y {number} cambio más, que no se muestra aquí.',
      other: 'Y {number} cambios más, demasiados para mostrarlos aquí.',
    }),
    leftOf: esCounted({
      one: 'Y {number} valor más, que no se muestra aquí.',
      other: 'Y {number} valores más, demasiados para mostrarlos aquí.',
    }),
  },
  input: {
    title: 'Argumentos de la llamada',
    name: 'Argumento',
    value: 'Valor',
    none: 'La llamada no lleva argumentos.',
    erased: 'Los argumentos se borraron.',
    empty: 'vacío',
    nothing: 'nada',
    cut: esCounted({ one: '({number} carácter omitido en medio)', other: '({number} caracteres omitidos en medio)' }),
    more: esCounted({ one: 'Mostrar {number} argumento más', other: 'Mostrar {number} argumentos más' }),
    left: esCounted({
      one: 'Y {number} argumento más, que no se muestra aquí.',
      other: 'Y {number} argumentos más, demasiados para mostrarlos aquí.',
    }),
  },
}

const hansCounted = countedIn('zh-Hans')

const hans: ValueTexts = {
  changes: {
    title: '将发生的更改',
    hint: '若现在执行，将产生这些更改。姓名、地址和备注只显示在参数中。',
    none: '不会有任何更改。',
    was: '原为',
    becomes: '改为',
    left: hansCounted({ other: '另有 {number} 项更改，数量过多，此处不再显示。' }),
    leftOf: hansCounted({ other: '另有 {number} 个值，数量过多，此处不再显示。' }),
  },
  input: {
    title: '调用参数',
    name: '参数',
    value: '值',
    none: '此调用不带参数。',
    erased: '参数已被删除。',
    empty: '空',
    nothing: '无',
    cut: hansCounted({ other: '（中间省略 {number} 个字符）' }),
    more: hansCounted({ other: '再显示 {number} 个参数' }),
    left: hansCounted({ other: '另有 {number} 个参数，数量过多，此处不再显示。' }),
  },
}

const hantCounted = countedIn('zh-Hant')

const hant: ValueTexts = {
  changes: {
    title: '將發生的變更',
    hint: '若現在執行，將產生這些變更。姓名、地址和備註只顯示在參數中。',
    none: '不會有任何變更。',
    was: '原為',
    becomes: '改為',
    left: hantCounted({ other: '另有 {number} 項變更，數量過多，此處不再顯示。' }),
    leftOf: hantCounted({ other: '另有 {number} 個值，數量過多，此處不再顯示。' }),
  },
  input: {
    title: '呼叫參數',
    name: '參數',
    value: '值',
    none: '此呼叫不帶參數。',
    erased: '參數已被刪除。',
    empty: '空',
    nothing: '無',
    cut: hantCounted({ other: '（中間省略 {number} 個字元）' }),
    more: hantCounted({ other: '再顯示 {number} 個參數' }),
    left: hantCounted({ other: '另有 {number} 個參數，數量過多，此處不再顯示。' }),
  },
}

const arCounted = countedIn('ar')

const ar: ValueTexts = {
  changes: {
    title: 'ما الذي سيتغيّر',
    hint: 'هذه هي التغييرات التي ستُجرى لو نُفِّذ الطلب الآن. لا تظهر الأسماء والعناوين والملاحظات إلا في المُدخلات.',
    none: 'لن يتغيّر شيء.',
    was: 'كان',
    becomes: 'يصبح',
    left: arCounted({
      one: 'وتغيير واحد آخر لا يظهر هنا.',
      two: 'وتغييران آخران لا يظهران هنا.',
      few: 'و{number} تغييرات أخرى أكثر من أن تُعرض هنا.',
      many: 'و{number} تغييرًا آخر أكثر من أن تُعرض هنا.',
      other: 'و{number} تغيير آخر أكثر من أن تُعرض هنا.',
    }),
    leftOf: arCounted({
      one: 'وقيمة واحدة أخرى لا تظهر هنا.',
      two: 'وقيمتان أخريان لا تظهران هنا.',
      few: 'و{number} قيم أخرى أكثر من أن تُعرض هنا.',
      many: 'و{number} قيمة أخرى أكثر من أن تُعرض هنا.',
      other: 'و{number} قيمة أخرى أكثر من أن تُعرض هنا.',
    }),
  },
  input: {
    title: 'المُدخلات',
    name: 'المُدخل',
    value: 'القيمة',
    none: 'هذا الاستدعاء بلا مُدخلات.',
    erased: 'حُذفت المُدخلات.',
    empty: 'فارغ',
    nothing: 'لا شيء',
    cut: arCounted({
      one: '(أُغفل حرف واحد من الوسط)',
      two: '(أُغفل حرفان من الوسط)',
      few: '(أُغفلت {number} أحرف من الوسط)',
      many: '(أُغفل {number} حرفًا من الوسط)',
      other: '(أُغفل {number} حرف من الوسط)',
    }),
    more: arCounted({
      one: 'عرض مُدخل واحد آخر',
      two: 'عرض مُدخلين آخرين',
      few: 'عرض {number} مُدخلات أخرى',
      many: 'عرض {number} مُدخلًا آخر',
      other: 'عرض {number} مُدخل آخر',
    }),
    left: arCounted({
      one: 'ومُدخل واحد آخر لا يظهر هنا.',
      two: 'ومُدخلان آخران لا يظهران هنا.',
      few: 'و{number} مُدخلات أخرى أكثر من أن تُعرض هنا.',
      many: 'و{number} مُدخلًا آخر أكثر من أن تُعرض هنا.',
      other: 'و{number} مُدخل آخر أكثر من أن تُعرض هنا.',
    }),
  },
}

/** The texts around values and changes, by language. */
export const valueTexts: Readonly<Record<PageLanguage, ValueTexts>> = {
  en,
  fr,
  de,
  es,
  'zh-Hans': hans,
  'zh-Hant': hant,
  ar,
}
