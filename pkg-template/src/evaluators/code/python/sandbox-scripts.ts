/** The scripts for a Python sandbox. */

import { inSandbox, type Project, SANDBOX_FOLDER, type Sandbox } from "../sandbox.js";

/**
 * Installs the packages that outputs.py imports, and Pyright if it is an argument, unless they are installed. Writes
 * the path of the Python that has them to the file `python` beside the script. Packages that do not exist are skipped,
 * since the check or the run reports them. Exits with 1 and the message of pip or npm for any other failure. Needs
 * Python 3.10 or later.
 */
const INSTALL = `import ast, os, re, shutil, subprocess, sys

TOOLS = "${SANDBOX_FOLDER}"
# Packages whose names differ from those of their modules.
PACKAGES = {
    "attr": "attrs", "Bio": "biopython", "bs4": "beautifulsoup4", "Crypto": "pycryptodome", "cv2": "opencv-python",
    "dateutil": "python-dateutil", "discord": "discord.py", "docx": "python-docx", "dotenv": "python-dotenv",
    "faiss": "faiss-cpu", "fitz": "PyMuPDF", "git": "GitPython", "github": "PyGithub", "google.auth": "google-auth",
    "google.genai": "google-genai", "google.generativeai": "google-generativeai", "google.protobuf": "protobuf",
    "googleapiclient": "google-api-python-client", "jose": "python-jose", "jwt": "PyJWT", "magic": "python-magic",
    "nacl": "PyNaCl", "OpenSSL": "pyOpenSSL", "PIL": "pillow", "pkg_resources": "setuptools", "pptx": "python-pptx",
    "psycopg2": "psycopg2-binary", "pywt": "PyWavelets", "rest_framework": "djangorestframework",
    "ruamel": "ruamel.yaml", "serial": "pyserial", "skimage": "scikit-image", "sklearn": "scikit-learn",
    "slugify": "python-slugify", "umap": "umap-learn", "websocket": "websocket-client", "yaml": "PyYAML",
    "zmq": "pyzmq",
    # The package of this name is unrelated.
    "google": None,
}
# Modules are located, not imported, since that would run code.
FIND = """
import sys
from importlib.machinery import PathFinder
def is_there(module):
    name, path = "", None
    for part in module.split("."):
        name = name + "." + part if name else part
        spec = PathFinder.find_spec(name, path)
        if not spec:
            return False
        path = spec.submodule_search_locations or []
    return True
print(*[module for module in sys.argv[1:] if not is_there(module)])
"""


def run(*command):
    try:
        return subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace")
    except OSError as error:
        sys.exit(str(error))


def modules():
    with open("outputs.py", encoding="utf-8") as file:
        try:
            tree = ast.parse(file.read())
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return []
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.update(node.module + "." + alias.name for alias in node.names)
    return sorted(name for name in names if name.split(".")[0] not in sys.stdlib_module_names)


# The module that shows whether a package is installed, and the package.
def package_of(name):
    parts = name.split(".")
    first, two, three = parts[0], ".".join(parts[:2]), ".".join(parts[:3])
    if two == "google.cloud" and len(parts) > 2:
        return three, three.replace(".", "-")
    return (two, PACKAGES[two]) if two in PACKAGES else (first, PACKAGES.get(first, first))


def install(python, packages):
    if not packages:
        return
    # Only this log level distinguishes an unknown package from an unreachable registry.
    options = ["-vv", "--no-input", "--disable-pip-version-check"]
    result = run(sys.executable, "-m", "pip", "--python", python, "install", *options, *packages)
    if result.returncode == 0:
        return
    # An unknown package fails the whole installation, so try one by one.
    if len(packages) > 1:
        for package in packages:
            install(python, [package])
        return
    unreachable = re.search("Could not fetch URL [^ ]+: (?!404 ).*", result.stdout)
    if unreachable:
        sys.exit(unreachable.group())
    if "No matching distribution found for " + packages[0] not in result.stderr:
        sys.exit(result.stderr or result.stdout)


project, own = (os.path.abspath(folder + "/bin/python") for folder in (".venv", TOOLS + "/venv"))
python = next((path for path in (project, own) if os.path.exists(path)), sys.executable)
wanted = dict(map(package_of, modules()))
missing = run(python, "-c", FIND, *wanted).stdout.split() if wanted else []
names = [name for name in missing if wanted[name] and re.fullmatch("[A-Za-z0-9]([A-Za-z0-9_.]*[A-Za-z0-9])?", name)]
packages = sorted({wanted[name] for name in names})
if packages:
    if python == sys.executable:
        python = own
        made = run(sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", TOOLS + "/venv")
        if made.returncode:
            sys.exit(made.stderr or made.stdout)
    install(python, packages)
if "pyright" in sys.argv and not shutil.which("pyright") and not os.path.exists(TOOLS + "/node_modules/.bin/pyright"):
    options = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"]
    result = run("npm", "install", "--prefix", TOOLS, *options, "pyright@1")
    if result.returncode:
        sys.exit(result.stderr or result.stdout)
with open(TOOLS + "/python", "w", encoding="utf-8") as file:
    file.write(python)
`;

/** Writes code into the sandbox, installs its imports and the tools, and does the work. */
export const inPython = <T>(
  sandbox: Sandbox,
  directory: string,
  code: string,
  tools: readonly "pyright"[],
  work: (project: Project) => Promise<T>,
): Promise<T> => {
  const install = ["python3", `${SANDBOX_FOLDER}/install.py`, ...tools].join(" ");
  return inSandbox(
    sandbox,
    directory,
    { [`${SANDBOX_FOLDER}/install.py`]: INSTALL, "outputs.py": code },
    install,
    work,
  );
};
