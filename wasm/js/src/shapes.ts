// The JSON that each op gives, or the line of it before other bytes. Ops that are
// not here give bytes or a text. The tests hold it against what the module says.
import type * as agn from './agnTypes.js';
import type * as amp from './ampTypes.js';
import type * as atsf from './atsfTypes.js';
import type { Fault } from './fault.js';
import type * as mail from './mailTypes.js';
import type * as samp from './sampTypes.js';

/** The shape of each op's JSON, by the name of the op. */
export interface Shapes {
  info: {
    readonly abi: { readonly major: number; readonly minor: number };
    readonly maxInput: number;
    readonly ops: readonly { readonly op: number; readonly name: string }[];
  };
  'samp.parse': samp.SampRecord;
  'samp.inspect': samp.Inspection;
  'samp.thread': samp.NewThread;
  'samp.inbox': samp.Inbox;
  'samp.reply': samp.Draft;
  'samp.compact': samp.CompactionCounts;
  'samp.watermark': samp.Watermark;
  'samp.alias': samp.Alias;
  'samp.validate': samp.Validation;
  'samp.threads': samp.MessageThreads;
  'atsf.thread': atsf.Thread;
  'atsf.message': atsf.AgentMessage;
  'atsf.log': atsf.AgentLog;
  'atsf.config': atsf.Config;
  'atsf.count': atsf.Tally;
  'atsf.compare': atsf.Comparison;
  'atsf.check': atsf.ThreadCheck;
  'atsf.repair': atsf.RepairHead;
  'atsf.fork': { readonly threadLength: number; readonly messagesLength: number };
  'atsf.asset': atsf.Asset;
  'atsf.assetName': atsf.AssetName;
  'atsf.takeInline': {
    readonly length: number;
    readonly assets: readonly { readonly name: string; readonly length: number }[];
  };
  'atsf.validId': { readonly valid: boolean };
  'agn.message': agn.TaskMessage;
  'agn.payload': agn.ReadPayload;
  'agn.check': agn.TaskCheck;
  'agn.state': agn.TaskState;
  'agn.alarms': agn.Alarms;
  'agn.id': agn.TaskMessageId;
  'agn.validTaskId': { readonly valid: boolean };
  'agn.ack': agn.Ack;
  'agn.resume': agn.Resume;
  'agn.record': agn.TaskRecord;
  'agn.rejection': agn.Rejection;
  'amp.message': amp.Mail;
  'amp.verify': amp.MailVerdict;
  'amp.judge': amp.MailTrust;
  'amp.threads': { readonly places: readonly amp.MailPlace[] };
  'amp.flags': { readonly flags: readonly string[] };
  'amp.unwrap': { readonly texts: readonly string[] };
  'amp.compose': amp.MailLetter;
  'amp.reply': amp.MailReply;
  'amp.filename': amp.MailFilename;
  'amp.checkAttachment': { readonly fault: Fault | null };
  'amp.key': amp.MailKey;
  'amp.id': amp.MailId;
  'amp.attachmentId': amp.MailId;
  'amp.address': amp.MailAddress;
  'mail.detect': mail.FileKind;
  'mail.links': mail.Links;
  'render.line': mail.Line;
}
