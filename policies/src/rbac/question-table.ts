import type { RequestedAccess } from "../access/requested-access.js";

/** A question without the object's name and namespace, as one object per question. */
export interface Question {
  /** True if answers may be kept. */
  readonly isKnown: boolean;
}

/** The limit of known questions, which clients choose, and of their length. */
const maxQuestions = 4096;
const maxQuestionLength = 512;

const unknown: Question = Object.freeze({ isKnown: false });

/**
 * A table that gives equal questions one identity, by which answers are found faster than by any text. Clients choose
 * every word of a review: words are not joined, so that no question can collide with another.
 */
export class QuestionTable {
  #resources = new Words<Words<Words<Words<Question>>>>();
  #paths = new Words<Words<Question>>();
  #size = 0;

  of(access: RequestedAccess): Question {
    const { verb, group, resource, subresource, path } = access;
    const known = access.isResourceRequest
      ? this.#resources.get(verb)?.get(group)?.get(resource)?.get(subresource)
      : this.#paths.get(verb)?.get(path);
    return known ?? this.#learn(access);
  }

  #learn({ isResourceRequest, verb, group, resource, subresource, path }: RequestedAccess): Question {
    const length =
      verb.length + (isResourceRequest ? group.length + resource.length + subresource.length : path.length);
    if (length > maxQuestionLength) {
      return unknown;
    }
    if (this.#size >= maxQuestions) {
      this.#resources = new Words();
      this.#paths = new Words();
      this.#size = 0;
    }
    this.#size++;
    const question: Question = { isKnown: true };
    if (isResourceRequest) {
      below(below(below(this.#resources, verb), group), resource).set(subresource, question);
    } else {
      below(this.#paths, verb).set(path, question);
    }
    return question;
  }
}

/** A map from a word to the part behind it. */
class Words<T> extends Map<string, T> {}

function below<T>(words: Words<Words<T>>, word: string): Words<T> {
  let next = words.get(word);
  if (next === undefined) {
    next = new Words<T>();
    words.set(word, next);
  }
  return next;
}
