import { Question } from "./question.jsx";
import { QUESTIONS } from "./questions.js";

export default function Page() {
  return (
    <main>
      <h1>A quiz</h1>
      {QUESTIONS.map(({ question, answer }, index) => (
        <Question key={question} index={index} question={question} answer={answer} />
      ))}
    </main>
  );
}
