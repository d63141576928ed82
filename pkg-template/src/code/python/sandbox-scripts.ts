/** What runs in a sandbox for Python. */

import { FOLDER } from "../sandbox.js";

/**
 * Installs Pyright and the packages that outputs.py imports, but for what is there already, and writes the path of the
 * Python that has them to the file `python` beside it. Packages that do not exist are left out: that is for the check to
 * find. Exits with 1 and what pip or npm said if something else is wrong. Python 3.10 and later.
 */
export const INSTALL = `import ast, os, re, shutil, subprocess, sys

TOOLS = "${FOLDER}"
# Packages that are called otherwise than their modules.
PACKAGES = {
    "attr": "attrs", "bs4": "beautifulsoup4", "cv2": "opencv-python", "dateutil": "python-dateutil",
    "dotenv": "python-dotenv", "jwt": "PyJWT", "PIL": "pillow", "serial": "pyserial", "skimage": "scikit-image",
    "sklearn": "scikit-learn", "yaml": "PyYAML",
}
FIND = """
import sys
from importlib.machinery import PathFinder
print(*[name for name in sys.argv[1:] if not PathFinder.find_spec(name)])
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
            names.add(node.module)
    return sorted({name.split(".")[0] for name in names} - set(sys.stdlib_module_names))


def install(python, packages):
    if not packages:
        return
    # Only so talkative does it tell a registry without the package from no registry at all.
    options = ["-vv", "--no-input", "--disable-pip-version-check"]
    result = run(sys.executable, "-m", "pip", "--python", python, "install", *options, *packages)
    if result.returncode == 0:
        return
    # One that does not exist keeps the others from being installed.
    if len(packages) > 1:
        for package in packages:
            install(python, [package])
        return
    unreachable = re.search("Could not fetch URL .*: (?!404 ).*", result.stdout)
    if unreachable:
        sys.exit(unreachable.group())
    if "No matching distribution found for " + packages[0] not in result.stderr:
        sys.exit(result.stderr or result.stdout)


project, own = (os.path.abspath(folder + "/bin/python") for folder in (".venv", TOOLS + "/venv"))
python = next((path for path in (project, own) if os.path.exists(path)), sys.executable)
names = modules()
missing = run(python, "-c", FIND, *names).stdout.split() if names else []
packages = [PACKAGES.get(name, name) for name in missing if re.fullmatch("[A-Za-z0-9]([A-Za-z0-9_]*[A-Za-z0-9])?", name)]
if packages:
    if python == sys.executable:
        python = own
        made = run(sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", TOOLS + "/venv")
        if made.returncode:
            sys.exit(made.stderr or made.stdout)
    install(python, packages)
if not shutil.which("pyright") and not os.path.exists(TOOLS + "/node_modules/.bin/pyright"):
    options = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"]
    result = run("npm", "install", "--prefix", TOOLS, *options, "pyright@1")
    if result.returncode:
        sys.exit(result.stderr or result.stdout)
with open(TOOLS + "/python", "w", encoding="utf-8") as file:
    file.write(python)
`;
