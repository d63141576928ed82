export default function Page() {
  return <p>See /api/score.</p>;
}
