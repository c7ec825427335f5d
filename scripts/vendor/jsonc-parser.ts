export {parseTree, printParseErrorCode, visit, type Node} from 'jsonc-parser';
