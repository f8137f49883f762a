"""A kernel in Python for a machine without a JDK: every cell says what is missing and how to get it."""


def run(connection_file, missing):
    from ipykernel.kernelapp import IPKernelApp
    from ipykernel.kernelbase import Kernel

    class NoJavaKernel(Kernel):
        implementation = "meshbook"
        implementation_version = "0"
        language_info = {"name": "java", "mimetype": "text/x-java", "file_extension": ".jshell"}
        banner = missing

        def do_execute(self, code, silent, store_history=True, user_expressions=None, allow_stdin=False, **more):
            content = {"ename": "NoJdk", "evalue": missing, "traceback": [missing]}
            if not silent:
                self.send_response(self.iopub_socket, "error", content)
            return {"status": "error", "execution_count": self.execution_count, **content}

        def do_is_complete(self, code):
            return {"status": "complete"}

    IPKernelApp.launch_instance(argv=["-f", connection_file], kernel_class=NoJavaKernel)
