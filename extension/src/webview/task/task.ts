// The page of a task or of one of its escalations. It shows what the extension
// sends and reports what the user does.

import { refKey } from '../../refs';
import { type Ref } from '../../protocol';
import { noAnswer, type Answer } from '../../task/model';
import type { FromTaskView, ShownTask, ToTaskView } from '../../task/messages';
import type { TaskWords } from '../../task/words';
import type { TypedMessage } from '../../views/messages';
import { AnswerForm } from './answer';
import { EscalationPart } from './escalation';
import type { KeyAct, Meaning } from '../../keys';
import { element } from '../dom';
import { onKeys } from '../keys';
import { showKeys } from '../keysDialog';
import { handOverLinks, saveAtRest, startPage, type Page, type Storage } from '../frame';
import { TaskTop } from './taskTop';
import { Timeline } from './timeline';
import { search } from '../typedAhead';

/** The state that a page saves. */
interface SavedTask {
  readonly ref: Ref | undefined;
  readonly answer: Answer;
  readonly scroll: number;
  readonly open: readonly string[];
}

/** The keys that the extension handles. */
const taskKeys: ReadonlySet<KeyAct> = new Set(['next', 'previous', 'leave']);

class TaskPage {
  readonly #storage: Storage<SavedTask>;
  readonly #scroll = element('div', { class: 'scroll' });
  readonly #saveSoon = saveAtRest(this.#scroll, () => this.#save());
  readonly #top: TaskTop;
  readonly #escalation: EscalationPart;
  readonly #form: AnswerForm;
  readonly #timeline: Timeline;
  readonly #page: Page<TaskWords, FromTaskView>;
  /** Whether the escalation can be acknowledged. */
  #acknowledges = false;
  #ref: Ref | undefined;
  #key = '';

  constructor(page: Page<TaskWords, FromTaskView>, root: HTMLElement, storage: Storage<SavedTask>) {
    this.#storage = storage;
    this.#page = page;
    this.#scroll.tabIndex = -1;
    this.#top = new TaskTop(page);
    this.#escalation = new EscalationPart(page);
    this.#form = new AnswerForm(page, () => this.#save());
    this.#timeline = new Timeline(page, () => this.#saveSoon());
    this.#scroll.append(
      element(
        'div',
        { class: 'column' },
        this.#top.root,
        this.#escalation.root,
        this.#form.root,
        this.#escalation.context,
        this.#timeline.root,
        this.#top.rest,
      ),
    );
    root.replaceChildren(this.#scroll, this.#form.footer);
    this.#scroll.addEventListener('scroll', () => this.#saveSoon());
    onKeys('thread', (meaning, typing) => this.#press(meaning, typing));
    handOverLinks(page);
  }

  /** Runs a key's action. Returns whether the page has one for it. */
  #press({ act, index }: Meaning, typing: boolean): boolean {
    const { post, words } = this.#page;
    if (act === 'keys') showKeys(words.keys);
    else if (act === 'search') search(post);
    else if (act === 'reply') this.#form.focus();
    else if (act === 'leave' && typing) this.#scroll.focus({ preventScroll: true });
    else if (taskKeys.has(act)) post({ type: 'key', act });
    else if (typing) return false;
    else if (act === 'option') this.#form.suggest(index);
    else if (act === 'yes' && this.#acknowledges) post({ type: 'acknowledge' });
    else return false;
    return true;
  }

  receive(message: ToTaskView | TypedMessage): void {
    switch (message.type) {
      case 'typed':
        this.#form.insert(message.text);
        return;
      case 'task':
        this.#show(message);
        return;
      case 'reveal':
        if (!this.#timeline.reveal(message.event)) this.#top.notReached();
        return;
      case 'notReached':
        this.#top.notReached();
        return;
      case 'focusAnswer':
        this.#form.focus();
        return;
      case 'suggest':
        this.#form.suggest(message.index);
        return;
      case 'preview':
        this.#form.showPreview(message.answer, message.preview);
        return;
      case 'sent':
        this.#form.sent();
        this.#scroll.scrollTo({ top: 0 });
        return;
      case 'sendFailed':
        this.#form.failed(message.failure);
        return;
      case 'failed':
        if (message.empty) this.#clear();
        this.#top.fail(message.failure);
        this.#timeline.failed();
        return;
    }
  }

  #show(shown: ShownTask): void {
    const key = refKey(shown.ref);
    const saved = key === this.#key ? undefined : this.#begin(shown.ref, key);
    this.#acknowledges = shown.acknowledge?.can === true;
    this.#timeline.root.hidden = false;
    this.#top.show(shown);
    this.#escalation.show(shown);
    this.#form.show(shown);
    this.#timeline.show(shown, saved?.open ?? []);
    if (saved !== undefined) this.#scroll.scrollTop = saved.scroll;
  }

  #clear(): void {
    this.#key = '';
    this.#top.clear();
    this.#timeline.clear();
    const { root, context } = this.#escalation;
    const parts = [root, context, this.#form.root, this.#form.footer, this.#timeline.root];
    for (const part of parts) part.hidden = true;
  }

  /** Starts with another task. Returns the state that an earlier page saved for it. */
  #begin(ref: Ref, key: string): SavedTask {
    this.#key = key;
    this.#ref = ref;
    const saved = this.#storage.getState();
    const mine = saved?.ref !== undefined && refKey(saved.ref) === key ? saved : undefined;
    this.#timeline.clear();
    this.#form.answer = mine?.answer ?? noAnswer;
    if (mine === undefined) this.#save();
    return mine ?? { ref, answer: noAnswer, scroll: 0, open: [] };
  }

  #save(): void {
    this.#storage.setState({
      ref: this.#ref,
      answer: this.#form.answer,
      scroll: this.#scroll.scrollTop,
      open: this.#timeline.open,
    });
  }
}

startPage<TaskWords, ToTaskView, FromTaskView, SavedTask>(
  'task',
  { type: 'ready' },
  (page, root, storage) => new TaskPage(page, root, storage),
);
