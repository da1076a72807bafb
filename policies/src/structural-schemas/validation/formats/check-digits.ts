/** Longest text in characters that is read; real numbers have some twenty digits. */
const maxLength = 10_000;

/**
 * Reports whether a text is a credit card number with its check digit (Luhn), with any characters between its digits.
 */
export function isCreditCard(text: string): boolean {
  const digits = text.length > maxLength ? "" : text.replace(/\D+/g, "");
  if (!cardNumber.test(digits)) {
    return false;
  }
  let sum = 0;
  for (let i = digits.length - 1, doubled = false; i >= 0; i--, doubled = !doubled) {
    const digit = Number(digits[i]) * (doubled ? 2 : 1);
    sum += digit >= 10 ? (digit % 10) + 1 : digit;
  }
  return sum % 10 === 0;
}

const cardNumber =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Reports whether a text is an ISBN of ten characters, with or without spaces and hyphens. */
export function isIsbn10(text: string): boolean {
  const sanitized = withoutSeparators(text);
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(sanitized)) {
    return false;
  }
  let sum = 0;
  for (let i = 0; i < 9; i++) {
    sum += (i + 1) * Number(sanitized[i]);
  }
  sum += 10 * (sanitized[9] === "X" ? 10 : Number(sanitized[9]));
  return sum % 11 === 0;
}

/** Reports whether a text is an ISBN of thirteen digits, with or without spaces and hyphens. */
export function isIsbn13(text: string): boolean {
  const sanitized = withoutSeparators(text);
  if (!/^[0-9]{13}$/.test(sanitized)) {
    return false;
  }
  let sum = 0;
  for (let i = 0; i < 12; i++) {
    sum += Number(sanitized[i]) * (i % 2 === 0 ? 1 : 3);
  }
  return (10 - (sum % 10)) % 10 === Number(sanitized[12]);
}

function withoutSeparators(text: string): string {
  return text.length > maxLength ? "" : text.replace(/[\t\n\f\r -]+/g, "");
}
