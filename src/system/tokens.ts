export const exceedsTokens = (text: string, limit: number): boolean => text.length > limit * 4;
