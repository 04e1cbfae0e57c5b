// cuDNN: its types and numbers. What a program calls of it ends the program there.
#pragma once
#include "barrierscope/library.h"
#include "cuda_runtime.h"
#include "library_types.h"

typedef enum {
  CUDNN_STATUS_SUCCESS = 0,
  CUDNN_STATUS_NOT_INITIALIZED = 1,
  CUDNN_STATUS_ALLOC_FAILED = 2,
  CUDNN_STATUS_BAD_PARAM = 3,
  CUDNN_STATUS_INTERNAL_ERROR = 4,
  CUDNN_STATUS_INVALID_VALUE = 5,
  CUDNN_STATUS_ARCH_MISMATCH = 6,
  CUDNN_STATUS_MAPPING_ERROR = 7,
  CUDNN_STATUS_EXECUTION_FAILED = 8,
  CUDNN_STATUS_NOT_SUPPORTED = 9,
  CUDNN_STATUS_LICENSE_ERROR = 10,
} cudnnStatus_t;

typedef struct cudnnContext* cudnnHandle_t;
typedef struct cudnnTensorStruct* cudnnTensorDescriptor_t;
typedef struct cudnnFilterStruct* cudnnFilterDescriptor_t;
typedef struct cudnnConvolutionStruct* cudnnConvolutionDescriptor_t;
typedef struct cudnnPoolingStruct* cudnnPoolingDescriptor_t;
typedef struct cudnnActivationStruct* cudnnActivationDescriptor_t;
typedef struct cudnnLRNStruct* cudnnLRNDescriptor_t;
typedef struct cudnnDropoutStruct* cudnnDropoutDescriptor_t;
typedef struct cudnnRNNStruct* cudnnRNNDescriptor_t;
typedef struct cudnnOpTensorStruct* cudnnOpTensorDescriptor_t;
typedef struct cudnnReduceTensorStruct* cudnnReduceTensorDescriptor_t;
typedef struct cudnnSpatialTransformerStruct* cudnnSpatialTransformerDescriptor_t;
typedef struct cudnnCTCLossStruct* cudnnCTCLossDescriptor_t;
typedef struct cudnnRNNDataStruct* cudnnRNNDataDescriptor_t;
typedef struct cudnnAlgorithmStruct* cudnnAlgorithmDescriptor_t;
typedef enum {
  CUDNN_DATA_FLOAT = 0,
  CUDNN_DATA_DOUBLE = 1,
  CUDNN_DATA_HALF = 2,
  CUDNN_DATA_INT8 = 3,
  CUDNN_DATA_INT32 = 4,
  CUDNN_DATA_INT8x4 = 5,
  CUDNN_DATA_UINT8 = 6,
  CUDNN_DATA_BFLOAT16 = 9,
  CUDNN_DATA_INT64 = 10
} cudnnDataType_t;
typedef enum {
  CUDNN_DEFAULT_MATH = 0,
  CUDNN_TENSOR_OP_MATH = 1,
  CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION = 2,
  CUDNN_FMA_MATH = 3
} cudnnMathType_t;
typedef enum { CUDNN_NOT_PROPAGATE_NAN = 0, CUDNN_PROPAGATE_NAN = 1 } cudnnNanPropagation_t;
typedef enum { CUDNN_NON_DETERMINISTIC = 0, CUDNN_DETERMINISTIC = 1 } cudnnDeterminism_t;
typedef enum {
  CUDNN_TENSOR_NCHW = 0,
  CUDNN_TENSOR_NHWC = 1,
  CUDNN_TENSOR_NCHW_VECT_C = 2
} cudnnTensorFormat_t;
typedef enum { CUDNN_CONVOLUTION = 0, CUDNN_CROSS_CORRELATION = 1 } cudnnConvolutionMode_t;
typedef enum {
  CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM = 0,
  CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM = 1,
  CUDNN_CONVOLUTION_FWD_ALGO_GEMM = 2,
  CUDNN_CONVOLUTION_FWD_ALGO_DIRECT = 3,
  CUDNN_CONVOLUTION_FWD_ALGO_FFT = 4,
  CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING = 5,
  CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD = 6,
  CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED = 7,
  CUDNN_CONVOLUTION_FWD_ALGO_COUNT = 8,
} cudnnConvolutionFwdAlgo_t;
typedef enum {
  CUDNN_CONVOLUTION_FWD_NO_WORKSPACE = 0,
  CUDNN_CONVOLUTION_FWD_PREFER_FASTEST = 1,
  CUDNN_CONVOLUTION_FWD_SPECIFY_WORKSPACE_LIMIT = 2
} cudnnConvolutionFwdPreference_t;
typedef enum {
  CUDNN_CONVOLUTION_BWD_FILTER_NO_WORKSPACE = 0,
  CUDNN_CONVOLUTION_BWD_FILTER_PREFER_FASTEST = 1
} cudnnConvolutionBwdFilterPreference_t;
typedef enum {
  CUDNN_CONVOLUTION_BWD_DATA_NO_WORKSPACE = 0,
  CUDNN_CONVOLUTION_BWD_DATA_PREFER_FASTEST = 1
} cudnnConvolutionBwdDataPreference_t;
typedef enum {
  CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0 = 0,
  CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1 = 1,
  CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT = 2,
  CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3 = 3
} cudnnConvolutionBwdFilterAlgo_t;
typedef enum {
  CUDNN_CONVOLUTION_BWD_DATA_ALGO_0 = 0,
  CUDNN_CONVOLUTION_BWD_DATA_ALGO_1 = 1,
  CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT = 2
} cudnnConvolutionBwdDataAlgo_t;
typedef enum {
  CUDNN_SOFTMAX_FAST = 0,
  CUDNN_SOFTMAX_ACCURATE = 1,
  CUDNN_SOFTMAX_LOG = 2
} cudnnSoftmaxAlgorithm_t;
typedef enum { CUDNN_SOFTMAX_MODE_INSTANCE = 0, CUDNN_SOFTMAX_MODE_CHANNEL = 1 } cudnnSoftmaxMode_t;
typedef enum {
  CUDNN_POOLING_MAX = 0,
  CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING = 1,
  CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING = 2,
  CUDNN_POOLING_MAX_DETERMINISTIC = 3
} cudnnPoolingMode_t;
typedef enum {
  CUDNN_ACTIVATION_SIGMOID = 0,
  CUDNN_ACTIVATION_RELU = 1,
  CUDNN_ACTIVATION_TANH = 2,
  CUDNN_ACTIVATION_CLIPPED_RELU = 3,
  CUDNN_ACTIVATION_ELU = 4,
  CUDNN_ACTIVATION_IDENTITY = 5,
  CUDNN_ACTIVATION_SWISH = 6
} cudnnActivationMode_t;
typedef enum {
  CUDNN_BATCHNORM_PER_ACTIVATION = 0,
  CUDNN_BATCHNORM_SPATIAL = 1,
  CUDNN_BATCHNORM_SPATIAL_PERSISTENT = 2
} cudnnBatchNormMode_t;
typedef enum {
  CUDNN_OP_TENSOR_ADD = 0,
  CUDNN_OP_TENSOR_MUL = 1,
  CUDNN_OP_TENSOR_MIN = 2,
  CUDNN_OP_TENSOR_MAX = 3
} cudnnOpTensorOp_t;
typedef enum {
  CUDNN_REDUCE_TENSOR_ADD = 0,
  CUDNN_REDUCE_TENSOR_MUL = 1,
  CUDNN_REDUCE_TENSOR_MIN = 2,
  CUDNN_REDUCE_TENSOR_MAX = 3
} cudnnReduceTensorOp_t;
typedef enum { CUDNN_LRN_CROSS_CHANNEL_DIM1 = 0 } cudnnLRNMode_t;
typedef struct {
  cudnnConvolutionFwdAlgo_t algo;
  cudnnStatus_t status;
  float time;
  size_t memory;
  cudnnDeterminism_t determinism;
  cudnnMathType_t mathType;
  int reserved[3];
} cudnnConvolutionFwdAlgoPerf_t;
typedef struct {
  cudnnConvolutionBwdFilterAlgo_t algo;
  cudnnStatus_t status;
  float time;
  size_t memory;
  cudnnDeterminism_t determinism;
  cudnnMathType_t mathType;
  int reserved[3];
} cudnnConvolutionBwdFilterAlgoPerf_t;
typedef struct {
  cudnnConvolutionBwdDataAlgo_t algo;
  cudnnStatus_t status;
  float time;
  size_t memory;
  cudnnDeterminism_t determinism;
  cudnnMathType_t mathType;
  int reserved[3];
} cudnnConvolutionBwdDataAlgoPerf_t;
#define CUDNN_MAJOR 9
#define CUDNN_VERSION 90000
static inline size_t cudnnGetVersion(void) { return CUDNN_VERSION; }
static inline const char* cudnnGetErrorString(cudnnStatus_t status) {
  return status == CUDNN_STATUS_SUCCESS ? "CUDNN_STATUS_SUCCESS" : "an error of cuDNN";
}

// clang-format would move these lists at each run.
// clang-format off
#define __BSCOPE_NOT_CUDNN(M) \
  M(cudnnCreate) M(cudnnDestroy) M(cudnnSetStream) M(cudnnGetStream) M(cudnnCreateTensorDescriptor) \
  M(cudnnDestroyTensorDescriptor) M(cudnnSetTensorDescriptor) M(cudnnCreateFilterDescriptor) \
  M(cudnnDestroyFilterDescriptor) M(cudnnSetFilterDescriptor) M(cudnnCreateConvolutionDescriptor) \
  M(cudnnDestroyConvolutionDescriptor) M(cudnnSetConvolutionDescriptor) M(cudnnCreatePoolingDescriptor) \
  M(cudnnDestroyPoolingDescriptor) M(cudnnSetPoolingDescriptor) M(cudnnCreateActivationDescriptor) \
  M(cudnnDestroyActivationDescriptor) M(cudnnSetActivationDescriptor) M(cudnnCreateLRNDescriptor) \
  M(cudnnDestroyLRNDescriptor) M(cudnnSetLRNDescriptor) M(cudnnCreateDropoutDescriptor) \
  M(cudnnDestroyDropoutDescriptor) M(cudnnSetDropoutDescriptor) M(cudnnCreateRNNDescriptor) \
  M(cudnnDestroyRNNDescriptor) M(cudnnSetRNNDescriptor) M(cudnnCreateOpTensorDescriptor) \
  M(cudnnDestroyOpTensorDescriptor) M(cudnnSetOpTensorDescriptor) M(cudnnCreateReduceTensorDescriptor) \
  M(cudnnDestroyReduceTensorDescriptor) M(cudnnSetReduceTensorDescriptor) M(cudnnSetTensor4dDescriptor) \
  M(cudnnSetTensor4dDescriptorEx) M(cudnnGetTensor4dDescriptor) M(cudnnSetTensorNdDescriptor) \
  M(cudnnGetTensorNdDescriptor) M(cudnnSetFilter4dDescriptor) M(cudnnSetFilterNdDescriptor) \
  M(cudnnSetConvolution2dDescriptor) M(cudnnSetConvolutionNdDescriptor) M(cudnnSetConvolutionMathType) \
  M(cudnnSetConvolutionGroupCount) M(cudnnGetConvolution2dForwardOutputDim) \
  M(cudnnGetConvolutionNdForwardOutputDim) M(cudnnSetPooling2dDescriptor) M(cudnnSetPoolingNdDescriptor) \
  M(cudnnGetPooling2dForwardOutputDim) M(cudnnPoolingForward) M(cudnnPoolingBackward) \
  M(cudnnActivationForward) M(cudnnActivationBackward) M(cudnnSoftmaxForward) M(cudnnSoftmaxBackward) \
  M(cudnnGetConvolutionForwardAlgorithm) M(cudnnGetConvolutionForwardAlgorithm_v7) \
  M(cudnnFindConvolutionForwardAlgorithm) M(cudnnGetConvolutionForwardWorkspaceSize) \
  M(cudnnConvolutionForward) M(cudnnConvolutionBiasActivationForward) \
  M(cudnnGetConvolutionBackwardFilterAlgorithm) M(cudnnGetConvolutionBackwardFilterAlgorithm_v7) \
  M(cudnnFindConvolutionBackwardFilterAlgorithm) M(cudnnGetConvolutionBackwardFilterWorkspaceSize) \
  M(cudnnConvolutionBackwardFilter) M(cudnnGetConvolutionBackwardDataAlgorithm) \
  M(cudnnGetConvolutionBackwardDataAlgorithm_v7) M(cudnnFindConvolutionBackwardDataAlgorithm) \
  M(cudnnGetConvolutionBackwardDataWorkspaceSize) M(cudnnConvolutionBackwardData) \
  M(cudnnConvolutionBackwardBias) M(cudnnAddTensor) M(cudnnScaleTensor) M(cudnnTransformTensor) \
  M(cudnnOpTensor) M(cudnnReduceTensor) M(cudnnGetReductionWorkspaceSize) M(cudnnSetTensor) \
  M(cudnnLRNCrossChannelForward) M(cudnnLRNCrossChannelBackward) M(cudnnBatchNormalizationForwardInference) \
  M(cudnnBatchNormalizationForwardTraining) M(cudnnBatchNormalizationBackward) \
  M(cudnnDeriveBNTensorDescriptor) M(cudnnDropoutForward) M(cudnnDropoutBackward) M(cudnnDropoutGetStatesSize) \
  M(cudnnDropoutGetReserveSpaceSize) M(cudnnRNNForward) M(cudnnSetRNNDescriptor_v8)
// clang-format on
#define __BSCOPE_NOT(name) __BSCOPE_MISSING("cuDNN", cudnnStatus_t, name)
__BSCOPE_NOT_CUDNN(__BSCOPE_NOT)
#undef __BSCOPE_NOT
#undef __BSCOPE_NOT_CUDNN
