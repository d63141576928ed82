export const QUESTIONS = [
  { question: "What is the capital of Kazakhstan?", answer: "Astana" },
  { question: "Why is the sky blue?", answer: "Air scatters short waves of light more than long ones." },
];
