// FortSandbox
