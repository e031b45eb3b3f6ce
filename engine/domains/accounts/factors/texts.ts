import type { Language } from '../../../kernel/catalogue.ts'

interface Text {
  readonly subject: string
  readonly text: string
}

const en = {
  factor_added: {
    subject: 'Your account has another second factor',
    text: '“{name}” was added to your account as a second factor at {time}, from {source}.\n\nIf it was not you, set a new password at once, tell your administrator, and look here:\n{link}',
  },
  factor_removed: {
    subject: 'A second factor of your account was removed',
    text: 'A second factor of your account, or all of them, was removed at {time}.\n\nIf you know nothing of this, set a new password at once, tell your administrator, and look here:\n{link}',
  },
  wrong_codes: {
    subject: 'Somebody may know your password',
    text: 'Somebody has entered the password of your account, and then several wrong codes, the last one at {time} from {source}. Nobody was let in.\n\nIf it was not you, set a new password here:\n{link}',
  },
} as const satisfies Readonly<Record<string, Text>>

type Texts = Readonly<Record<keyof typeof en, Text>>

const fr: Texts = {
  factor_added: {
    subject: 'Votre compte a un second facteur de plus',
    text: '« {name} » a été ajouté à votre compte comme second facteur à {time}, depuis {source}.\n\nSi ce n’était pas vous, choisissez aussitôt un nouveau mot de passe, prévenez votre administrateur et vérifiez ici :\n{link}',
  },
  factor_removed: {
    subject: 'Un second facteur de votre compte a été retiré',
    text: 'Un second facteur de votre compte, ou tous, a été retiré à {time}.\n\nSi cela ne vous dit rien, choisissez aussitôt un nouveau mot de passe, prévenez votre administrateur et vérifiez ici :\n{link}',
  },
  wrong_codes: {
    subject: 'Quelqu’un connaît peut-être votre mot de passe',
    text: 'Quelqu’un a saisi le mot de passe de votre compte, puis plusieurs codes erronés, le dernier à {time} depuis {source}. Personne n’est entré.\n\nSi ce n’était pas vous, choisissez un nouveau mot de passe ici :\n{link}',
  },
}

const de: Texts = {
  factor_added: {
    subject: 'Ihr Konto hat einen weiteren zweiten Faktor',
    text: '„{name}“ wurde um {time} von {source} aus als zweiter Faktor zu Ihrem Konto hinzugefügt.\n\nWaren Sie das nicht, setzen Sie sofort ein neues Passwort, sagen Sie Ihrem Administrator Bescheid und sehen Sie hier nach:\n{link}',
  },
  factor_removed: {
    subject: 'Ein zweiter Faktor Ihres Kontos wurde entfernt',
    text: 'Um {time} wurde ein zweiter Faktor Ihres Kontos entfernt, oder alle.\n\nWissen Sie nichts davon, setzen Sie sofort ein neues Passwort, sagen Sie Ihrem Administrator Bescheid und sehen Sie hier nach:\n{link}',
  },
  wrong_codes: {
    subject: 'Vielleicht kennt jemand Ihr Passwort',
    text: 'Jemand hat das Passwort Ihres Kontos eingegeben und dann mehrere falsche Codes, zuletzt um {time} von {source} aus. Hineingekommen ist niemand.\n\nWaren Sie das nicht, setzen Sie hier ein neues Passwort:\n{link}',
  },
}

const es: Texts = {
  factor_added: {
    subject: 'Su cuenta tiene otro segundo factor',
    text: '«{name}» se añadió a su cuenta como segundo factor a las {time}, desde {source}.\n\nSi no fue usted, ponga enseguida una contraseña nueva, avise a su administrador y compruébelo aquí:\n{link}',
  },
  factor_removed: {
    subject: 'Se quitó un segundo factor de su cuenta',
    text: 'A las {time} se quitó un segundo factor de su cuenta, o todos.\n\nSi no sabe nada de esto, ponga enseguida una contraseña nueva, avise a su administrador y compruébelo aquí:\n{link}',
  },
  wrong_codes: {
    subject: 'Puede que alguien conozca su contraseña',
    text: 'Alguien ha introducido la contraseña de su cuenta y después varios códigos incorrectos, el último a las {time} desde {source}. No ha entrado nadie.\n\nSi no fue usted, ponga aquí una contraseña nueva:\n{link}',
  },
}

const zhHans: Texts = {
  factor_added: {
    subject: '您的账户新增了一种第二重验证方式',
    text: '“{name}”于 {time} 从 {source} 被添加为您账户的第二重验证方式。\n\n如果不是您，请立即设置新密码，告知您的管理员，并在此查看：\n{link}',
  },
  factor_removed: {
    subject: '您账户的一种第二重验证方式已被移除',
    text: '您账户的一种或全部第二重验证方式已于 {time} 被移除。\n\n如果您对此不知情，请立即设置新密码，告知您的管理员，并在此查看：\n{link}',
  },
  wrong_codes: {
    subject: '可能有人知道您的密码',
    text: '有人输入了您账户的密码，随后多次输入错误的验证码，最近一次在 {time}，来自 {source}。没有人登录成功。\n\n如果不是您，请在此设置新密码：\n{link}',
  },
}

const zhHant: Texts = {
  factor_added: {
    subject: '您的帳戶新增了一種第二重驗證方式',
    text: '「{name}」於 {time} 從 {source} 被新增為您帳戶的第二重驗證方式。\n\n如果不是您，請立即設定新密碼，告知您的管理員，並在此查看：\n{link}',
  },
  factor_removed: {
    subject: '您帳戶的一種第二重驗證方式已被移除',
    text: '您帳戶的一種或全部第二重驗證方式已於 {time} 被移除。\n\n如果您對此不知情，請立即設定新密碼，告知您的管理員，並在此查看：\n{link}',
  },
  wrong_codes: {
    subject: '可能有人知道您的密碼',
    text: '有人輸入了您帳戶的密碼，隨後多次輸入錯誤的驗證碼，最近一次在 {time}，來自 {source}。沒有人登入成功。\n\n如果不是您，請在此設定新密碼：\n{link}',
  },
}

/** The e-mails about second factors, by language; `{name}` is a placeholder. */
export const factorMailTexts: Readonly<Record<Language, Texts>> = {
  ...{ en, fr, de, es },
  ...{ 'zh-Hans': zhHans, 'zh-Hant': zhHant },
}
