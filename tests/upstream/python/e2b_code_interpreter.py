"""Stands in for the package of this name, whose sandboxes need a key: the bridge makes one that is a folder."""


class LocalSandbox:
    def __init__(self, *_):
        pass


class LocalAsyncSandbox:
    @staticmethod
    async def create(*_):
        return LocalAsyncSandbox()


Sandbox, AsyncSandbox = LocalSandbox, LocalAsyncSandbox
