// Keeps secrets of the environment out of what envoy prints.

const SECRET_NAME =
  /TOKEN|SECRET|PASS(?:WORD|WD|PHRASE)?(?:_|$)|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE|COOKIE|BEARER|(?:^|_)AUTH(?:_|$)|_KEY$|_PAT$|DSN$/i;
/** Shorter ones (`1`, `true`) stand in any text and hide more than they reveal. */
const SHORTEST = 6;
const PASSWORD_IN_URL = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:@/]*:)[^\s@/]+(?=@)/gi;

export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

/** Masks the values of variables whose names look secret, and passwords in URLs. */
export function redact(text: string, env: NodeJS.ProcessEnv): string {
  return secretValues(env)
    .reduce((masked, { name, value }) => masked.replaceAll(value, `[${name} hidden]`), text)
    .replace(PASSWORD_IN_URL, "$1[hidden]");
}

/** Longest first: one secret may be part of another. A key over several lines is hidden line by line too. */
function secretValues(env: NodeJS.ProcessEnv): { name: string; value: string }[] {
  const values = Object.entries(env)
    .filter(([name]) => isSecretName(name))
    .flatMap(([name, value = ""]) => [value, ...value.split("\n")].map((part) => ({ name, value: part.trim() })))
    .filter(({ value }) => value.length >= SHORTEST);
  return values.toSorted((a, b) => b.value.length - a.value.length);
}
