/** Graphs of LangGraph to extract trajectories from, with a model that says what it is told to. */
import { FakeListChatModel } from "@langchain/core/utils/testing";
