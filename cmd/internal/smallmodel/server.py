"""Serves a model file on loopback with llama.cpp until standard input ends.

usage: server.py MODEL.gguf WINDOW THREADS
prints the base URL when the model is loaded
"""
import sys

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx = int(sys.argv[2])
params.cpuparams.n_threads = int(sys.argv[3])
params.n_gpu_layers = 0
params.n_parallel = 1
params.warmup = False
params.hostnames = ["127.0.0.1"]
params.port = 0
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
